// Tells when the end of a scrolled body is in view, at once if nothing needs scrolling.

/**
 * Calls onend whenever the mark at the body's end stands above the foot, after a scroll or a change of size. Which of
 * the frame's parts scrolls depends on the window's height. Returns how to stop.
 */
export function watchEnd(frame: HTMLElement, end: Element, foot: Element, onend: () => void): () => void {
  const check = () => {
    if (frame.querySelector('[data-undrawn]')) return;
    if (end.getBoundingClientRect().bottom <= foot.getBoundingClientRect().top + 2) onend();
  };
  const sizes = new ResizeObserver(check);
  sizes.observe(frame);
  if (end.parentElement) sizes.observe(end.parentElement);
  frame.addEventListener('scroll', check, { capture: true, passive: true });
  const first = requestAnimationFrame(check);
  return () => {
    cancelAnimationFrame(first);
    sizes.disconnect();
    frame.removeEventListener('scroll', check, { capture: true });
  };
}

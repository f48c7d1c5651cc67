// Tells when the end of a scrolled body is in view, at once if nothing needs scrolling.

/** Calls onend whenever the end is in view after a scroll or a change of size; returns how to stop. */
export function watchEnd(body: HTMLElement, onend: () => void): () => void {
  const check = () => {
    if (body.scrollTop + body.clientHeight >= body.scrollHeight - 2) onend();
  };
  const sizes = new ResizeObserver(check);
  sizes.observe(body);
  for (const part of body.children) sizes.observe(part);
  body.addEventListener('scroll', check, { passive: true });
  const first = requestAnimationFrame(check);
  return () => {
    cancelAnimationFrame(first);
    sizes.disconnect();
    body.removeEventListener('scroll', check);
  };
}

// How much room the page has at the chosen text size. The whole page is zoomed; the width and height that a style sheet
// can ask for stay those of the window, so their classes and units are put on the root here.

export const textSizes: readonly number[] = [100, 110, 125, 150, 175, 200];

/** Where the layout changes, in pixels of the page. */
const widths = { narrow: 1100, compact: 760 };
const heights = { low: 760, flat: 560 };

let zoom = 1;

/** Zooms the page. What is on the screen moves: a gate begins its wait again. */
export function scale(factor: number): void {
  if (factor === zoom) return;
  zoom = factor;
  document.documentElement.style.setProperty('zoom', String(zoom));
  window.dispatchEvent(new Event('resize'));
}

/** Keeps the root's data-narrow, -compact, -low and -flat, and the units --vw and --vh; returns how to stop. */
export function watchRoom(): () => void {
  const measure = () => {
    const root = document.documentElement;
    const [width, height] = [window.innerWidth / zoom, window.innerHeight / zoom];
    root.style.setProperty('--vw', `${String(width / 100)}px`);
    root.style.setProperty('--vh', `${String(height / 100)}px`);
    for (const [name, limit] of Object.entries(widths)) root.toggleAttribute(`data-${name}`, width < limit);
    for (const [name, limit] of Object.entries(heights)) root.toggleAttribute(`data-${name}`, height < limit);
  };
  measure();
  window.addEventListener('resize', measure);
  return () => window.removeEventListener('resize', measure);
}

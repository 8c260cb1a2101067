import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { rowWindow, type Scrolled } from "./row-window.ts";

/** The seen part of a list, without the number of its rows. */
export type SeenPart = Omit<Scrolled, "rowCount">;

/**
 * The rows of a list to draw, kept up to date while anything scrolls or the list changes its size.
 *
 * @param list what is observed
 * @param seenPart reads the page
 * @returns `redraw` reads the page at once
 */
export function useRowWindow(
  list: { readonly current: HTMLElement | null },
  seenPart: (list: HTMLElement) => SeenPart,
  rowCount: number,
): { readonly first: number; readonly end: number; readonly redraw: () => void } {
  const [seen, setSeen] = useState<SeenPart>({ topPx: 0, heightPx: 0, rowPx: 1 });
  const window = rowWindow({ ...seen, rowCount });
  const redraw = (): void => {
    if (list.current === null) return;
    const next = seenPart(list.current);
    const { first, end } = rowWindow({ ...next, rowCount });
    if (first !== window.first || end !== window.end) setSeen(next);
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => list.current !== null && setSeen(seenPart(list.current)));
    if (list.current !== null) {
      setSeen(seenPart(list.current));
      observer.observe(list.current);
    }
    return () => observer.disconnect();
  }, []);
  // Fewer rows than before: the browser has moved the scroll.
  useLayoutEffect(redraw, [rowCount]);
  useEffect(() => {
    // Scrolls do not bubble, and on narrow pages the panel around a list scrolls.
    document.addEventListener("scroll", redraw, { capture: true, passive: true });
    return () => document.removeEventListener("scroll", redraw, { capture: true });
  });
  return { ...window, redraw };
}

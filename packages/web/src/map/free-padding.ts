import type OlMap from "ol/Map.js";

/** Panels that lie on the map carry this attribute. */
const COVERS = "[data-covers-map]";
/** A panel that takes more of the width is no column beside the map. */
const MOST_BESIDE = 0.4;
/** Less than this share of the map would show nothing. */
const LEAST_FREE = 0.4;

/** Space around a fitted extent in pixels, top, right, bottom, left: panels at an edge cover nothing of it. */
export function freePadding(map: OlMap, marginPx: number): number[] {
  const target = map.getTargetElement();
  if (!(target instanceof HTMLElement)) return [marginPx, marginPx, marginPx, marginPx];
  const stage = target.getBoundingClientRect();
  let [top, right] = [marginPx, marginPx];
  for (const panel of target.parentElement?.querySelectorAll(COVERS) ?? []) {
    const box = panel.getBoundingClientRect();
    if (box.height === 0 || box.width === 0) continue;
    const fromRight = stage.right - box.left + marginPx / 2;
    const fromTop = box.bottom - stage.top + marginPx / 2;
    // A panel grows downwards with its list; on a phone it is as wide as the map.
    if (fromRight <= stage.width * MOST_BESIDE) right = Math.max(right, fromRight);
    else top = Math.max(top, fromTop);
  }
  return [
    Math.min(top, stage.height * (1 - LEAST_FREE)),
    Math.min(right, stage.width * (1 - LEAST_FREE)),
    marginPx,
    marginPx,
  ];
}

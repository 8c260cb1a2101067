/*
 * polygon-clipping can split the same edges for ever where many of them meet in one place, also with coordinates of
 * seven decimals. It gives up after as many edges as its setting says, a million by default, which takes half a
 * minute; it takes the setting when it is loaded, so this module is imported before it. The overlays with most edges
 * that are let in have some 50 000; whatever has more is left to the exact engine.
 */
const MAX_SWEEP_EDGES = 100_000;

interface Host {
  /** Absent in browsers, where the library's own limit holds. */
  readonly process?: { readonly env?: Record<string, string | undefined> };
}

const settings = (globalThis as Host).process?.env;
if (settings !== undefined) settings["POLYGON_CLIPPING_MAX_SWEEPLINE_SEGMENTS"] ??= String(MAX_SWEEP_EDGES);

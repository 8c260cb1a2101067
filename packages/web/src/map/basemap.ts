import Feature from "ol/Feature.js";
import VectorImageLayer from "ol/layer/VectorImage.js";
import VectorSource from "ol/source/Vector.js";
import { landShapes } from "./land-shapes.ts";
import type { LandTopology } from "./land-topology.ts";
import { landStyle } from "./styles.ts";

/** Outlines of land by the zoom from which they are wanted; a finer file is larger. */
const OUTLINES = [
  { fromZoom: 0, file: "land-110m.json" },
  { fromZoom: 4, file: "land-50m.json" },
  { fromZoom: 8, file: "land-10m.json" },
] as const;

export interface Basemap {
  readonly layer: VectorImageLayer;
  setTheme(theme: "dark" | "light"): void;
  /** Outlines are loaded from now on. */
  start(): void;
  /** Loads finer outlines where the zoom needs them. */
  setZoom(zoom: number): void;
}

/** Land of Natural Earth, from files of a folder. */
export function createBasemap(folder: string): Basemap {
  const source = new VectorSource();
  const layer = new VectorImageLayer({ source, style: landStyle("light"), imageRatio: 1.2 });
  let loaded = -1;
  let wanted = -1;
  let isStarted = false;

  async function load(level: number): Promise<void> {
    const file = OUTLINES[level]?.file;
    if (file === undefined) return;
    const answer = await fetch(`${folder}/${file}`);
    if (!answer.ok) return;
    const shapes = await landShapes((await answer.json()) as LandTopology);
    if (level < loaded) return;
    source.clear(true);
    source.addFeatures(shapes.map((shape) => new Feature(shape)));
  }

  function loadWanted(): void {
    const level = wanted;
    if (!isStarted || level <= loaded) return;
    loaded = level;
    // Without outlines the map still works: they are asked for again at the next zoom.
    load(level).catch(() => {
      loaded = Math.min(loaded, level - 1);
    });
  }

  return {
    layer,
    setTheme: (theme) => layer.setStyle(landStyle(theme)),
    start() {
      isStarted = true;
      loadWanted();
    },
    setZoom(zoom) {
      wanted = OUTLINES.findLastIndex(({ fromZoom }) => zoom >= fromZoom);
      loadWanted();
    },
  };
}

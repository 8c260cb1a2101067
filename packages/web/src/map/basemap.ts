import Feature from "ol/Feature.js";
import MultiPolygon from "ol/geom/MultiPolygon.js";
import VectorImageLayer from "ol/layer/VectorImage.js";
import VectorSource from "ol/source/Vector.js";
import { landPolygons } from "./land-polygons.ts";
import { landRings, type LandTopology } from "./land-topology.ts";
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
    if (!answer.ok || level < loaded) return;
    const land = landOf((await answer.json()) as LandTopology);
    source.clear(true);
    // One shape of all land: thousands of small ones take a second to draw.
    source.addFeature(new Feature(land));
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

/** Land of a file, on the map. */
function landOf(topology: LandTopology): MultiPolygon {
  const land = new MultiPolygon(landRings(topology).flatMap(landPolygons));
  land.transform("EPSG:4326", "EPSG:3857");
  return land;
}

import Feature from "ol/Feature.js";
import TopoJSON from "ol/format/TopoJSON.js";
import MultiPolygon from "ol/geom/MultiPolygon.js";
import VectorImageLayer from "ol/layer/VectorImage.js";
import VectorSource from "ol/source/Vector.js";
import { landPolygons } from "./land-polygons.ts";
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
  /** Loads finer outlines where the zoom needs them. */
  setZoom(zoom: number): void;
}

/** Land of Natural Earth, from files of a folder. */
export function createBasemap(folder: string): Basemap {
  const source = new VectorSource();
  const layer = new VectorImageLayer({ source, style: landStyle("light"), imageRatio: 1.2 });
  let loaded = -1;

  async function load(level: number): Promise<void> {
    const file = OUTLINES[level]?.file;
    if (file === undefined) return;
    const answer = await fetch(`${folder}/${file}`);
    if (!answer.ok || level < loaded) return;
    const land = landOf(await answer.json());
    source.clear(true);
    // One shape of all land: thousands of small ones take a second to draw.
    source.addFeature(new Feature(land));
  }

  return {
    layer,
    setTheme: (theme) => layer.setStyle(landStyle(theme)),
    setZoom(zoom) {
      const level = OUTLINES.findLastIndex(({ fromZoom }) => zoom >= fromZoom);
      if (level <= loaded) return;
      loaded = level;
      // Without outlines the map still works: they are asked for again at the next zoom.
      load(level).catch(() => {
        loaded = Math.min(loaded, level - 1);
      });
    },
  };
}

/** Land of a file, on the map. */
function landOf(topology: unknown): MultiPolygon {
  const polygons = new TopoJSON().readFeatures(topology).flatMap((feature) => {
    const geometry = feature.getGeometry();
    return geometry instanceof MultiPolygon ? geometry.getCoordinates().flatMap(landPolygons) : [];
  });
  const land = new MultiPolygon(polygons);
  land.transform("EPSG:4326", "EPSG:3857");
  return land;
}

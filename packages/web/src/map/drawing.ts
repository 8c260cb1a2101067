import type OlMap from "ol/Map.js";
import type Polygon from "ol/geom/Polygon.js";
import Draw, { createBox } from "ol/interaction/Draw.js";
import { AREA } from "./styles.ts";

export type DrawKind = "box" | "polygon";

/** Lets the user draw one shape. Returns how to stop. `done` gets positions in degrees, the first one repeated. */
export function startDrawing(
  map: OlMap,
  kind: DrawKind,
  done: (ring: readonly (readonly [longitude: number, latitude: number])[]) => void,
): () => void {
  const draw =
    kind === "box"
      ? new Draw({ type: "Circle", geometryFunction: createBox(), style: AREA })
      : new Draw({ type: "Polygon", style: AREA });
  const stop = (): void => {
    map.removeInteraction(draw);
  };
  draw.on("drawend", ({ feature }) => {
    stop();
    const drawn = feature.getGeometry()?.clone() as Polygon | undefined;
    drawn?.transform("EPSG:3857", "EPSG:4326");
    const positions = drawn?.getCoordinates()[0] ?? [];
    done(positions.map(([longitude = 0, latitude = 0]) => [longitude, latitude] as const));
  });
  map.addInteraction(draw);
  return stop;
}

import MultiPolygon from "ol/geom/MultiPolygon.js";
import { nextTask } from "../ui/next-task.ts";
import { landPolygons } from "./land-polygons.ts";
import { landRings, type FlatLine, type LandTopology } from "./land-topology.ts";

/** Polygons with more values than this are a shape each. */
const LARGE = 2_000;
/** Small polygons share a shape with others of their cell. */
const CELL_DEGREES = 45;

/**
 * Land of a file on the map, in steps between which the page answers. A view close to the ground draws the few shapes that
 * meet it: all land of the finest file as one shape took 170 ms, 4,000 shapes take a second where all are seen.
 */
export async function landShapes(topology: LandTopology): Promise<readonly MultiPolygon[]> {
  await nextTask();
  const rings = landRings(topology);
  await nextTask();
  const polygons = rings.flatMap(landPolygons);
  await nextTask();
  return [...Map.groupBy(polygons, shapeName).values()].map(shapeOf);
}

/** Polygons of one name are one shape. */
function shapeName(polygon: readonly FlatLine[], position: number): string {
  const [exterior = []] = polygon;
  if (exterior.length > LARGE) return String(position);
  const [longitude = 0, latitude = 0] = exterior;
  return [longitude, latitude].map((degrees) => `cell ${Math.floor(degrees / CELL_DEGREES)}`).join();
}

function shapeOf(polygons: readonly (readonly FlatLine[])[]): MultiPolygon {
  const coordinates: number[] = [];
  const ends = polygons.map((rings) =>
    rings.map((ring) => {
      for (const value of ring) coordinates.push(value);
      return coordinates.length;
    }),
  );
  const shape = new MultiPolygon(coordinates, "XY", ends);
  shape.transform("EPSG:4326", "EPSG:3857");
  return shape;
}

import { spawnSync } from "node:child_process";
import { sampleData } from "../../packages/base/src/sample-data.ts";
import { classPlane } from "./classes.ts";
import type { QualityBench } from "./quality-bench.ts";

/** A point that people have labelled, with the class of the map there. */
export interface ComparedPoint {
  readonly label: "forest" | "pasture" | "urban" | "water";
  readonly found: string;
}

const DOCUMENT = {
  sensor: "sentinel-2",
  bands: ["B02", "B03", "B04", "B06", "B07", "B08", "B11", null],
  datetime: "2018-07-01",
};

/** The 97 points of the Leipzig scene, or the reason why they cannot be compared. */
export async function comparedPoints(bench: QualityBench, mapType: string): Promise<readonly ComparedPoint[] | string> {
  const path = sampleData("optical_s2", "leipzig_raster.tif");
  const points = sampleData("optical_s2", "leipzig_points.gpkg");
  if (path === null || points === null) return "sample data absent";
  const read = spawnSync("ogr2ogr", ["-f", "GeoJSON", "-lco", "RFC7946=NO", "/vsistdout/", points], {
    encoding: "utf8",
  });
  if (read.status !== 0) return "OGR is not installed";
  const { features } = JSON.parse(read.stdout) as {
    readonly features: readonly {
      readonly properties: Readonly<Record<string, string>>;
      readonly geometry: { readonly coordinates: readonly [number, number] };
    }[];
  };
  const outcome = await bench.run(mapType, [await bench.ingest(path, DOCUMENT)]);
  if (outcome.kind === "refused") return outcome.reason;
  const plane = classPlane(mapType, outcome.result);
  const [sizeX, , originX, , sizeY, originY] = outcome.result.planes[0]!.band.geotransform;
  return features.flatMap(({ properties, geometry }): ComparedPoint[] => {
    const column = Math.floor((geometry.coordinates[0] - originX) / sizeX);
    const row = Math.floor((geometry.coordinates[1] - originY) / sizeY);
    const found = plane.nameAt(row * plane.widthPx + column);
    const label = Object.values(properties).find((value) => /^(forest|pasture|urban|water)$/.test(value));
    return found === null || label === undefined ? [] : [{ label: label as ComparedPoint["label"], found }];
  });
}

import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { createMapTypes, type MapTypes } from "../../packages/maps/src/registry.ts";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { blockConfusions, emptyConfusion, joined, type Confusion } from "./confusion.ts";
import type { MapResult, QualityBench } from "./quality-bench.ts";
import type { SceneModel } from "../../packages/simulator/src/scene-model.ts";
import { NO_TRUTH, WORLD_CLASSES } from "../../packages/simulator/src/world/land-cover.ts";
import { truthOf } from "./simulated-scenes.ts";

const mapTypes = createMapTypes([]);

/** The class layer of a result with the names of its values; the background is "none". */
export interface ClassPlane {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly nameAt: (pixel: number) => string | null;
}

export function classPlane(mapTypeId: string, result: MapResult, known: MapTypes = mapTypes): ClassPlane {
  const layers = known.find(mapTypeId)?.analysis?.layers ?? [];
  const at = layers.findIndex(({ kind }) => kind === "classes");
  const layer = layers[at];
  const plane = result.planes[at];
  if (layer?.kind !== "classes" || plane === undefined) throw new Error(`${mapTypeId} has no layer of classes`);
  const names = new Map(layer.classes.map(({ value, name }) => [value, name]));
  if (layer.backgroundValue !== null) names.set(layer.backgroundValue, "none");
  const { pixels, band } = plane;
  return {
    widthPx: band.widthPx,
    heightPx: band.heightPx,
    nameAt: (pixel) => names.get(pixels[pixel]!) ?? null,
  };
}

/** Which class a name counts as; null leaves the pixel out. */
export type Merge = (name: string) => string | null;

/** Side of the blocks of pixels that stand for a single scene. */
const BLOCK_PX = 28;

/** Confusions of squares of a result against names of the truth. */
export function againstTruth(
  names: readonly string[],
  found: ClassPlane,
  truthAt: (pixel: number) => string | null,
  merge: { readonly truth: Merge; readonly found: Merge },
): readonly Confusion[] {
  const position = (name: string | null, how: Merge): number => {
    const merged = name === null ? null : how(name);
    return merged === null ? -1 : names.indexOf(merged);
  };
  return blockConfusions(
    names,
    {
      widthPx: found.widthPx,
      heightPx: found.heightPx,
      truthAt: (pixel) => position(truthAt(pixel), merge.truth),
      foundAt: (pixel) => position(found.nameAt(pixel), merge.found),
    },
    BLOCK_PX,
  );
}

/** A simulated scene in the store, with the model that drew it. */
export interface SimulatedScene {
  readonly model: SceneModel;
  readonly stored: StoredScene;
  readonly extent: MultiPolygon;
}

/** One confusion per simulated scene; null with the reason when the map type does not take it. */
export async function simulatedConfusion(
  bench: QualityBench,
  mapTypeId: string,
  scenes: readonly SimulatedScene[],
  names: readonly string[],
  merge: { readonly truth: Merge; readonly found: Merge },
): Promise<Confusion | string> {
  const latest = scenes.at(-1);
  if (latest === undefined) throw new RangeError("a map needs a scene");
  const outcome = await bench.run(
    mapTypeId,
    scenes.map(({ stored }) => stored),
    latest.extent,
  );
  if (outcome.kind === "refused") return outcome.reason;
  const plane = classPlane(mapTypeId, outcome.result);
  const grid = outcome.result.planes[0]!.band;
  const { classes } = truthOf(latest.model, grid);
  const blocks = againstTruth(
    names,
    plane,
    (pixel) => (classes[pixel] === NO_TRUTH ? null : (WORLD_CLASSES[classes[pixel]!] ?? null)),
    merge,
  );
  return blocks.length === 0 ? emptyConfusion(names) : joined(blocks);
}

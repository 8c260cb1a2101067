import type { LayerValues } from "../maps/inspector.ts";
import type { ComparedIds } from "./compared-ids.ts";

type Value = NonNullable<NonNullable<LayerValues["answer"]>["values"]>[number];

/** A band, index or layer in both maps. */
export interface ValuePair {
  readonly name: string;
  readonly unit: string | null;
  readonly a: Value | null;
  readonly b: Value | null;
  /** B minus A where both are numbers; a difference of classes has no meaning. */
  readonly difference: number | null;
}

/** The values of both maps by name. */
export function valuePairs({ a, b }: ComparedIds, layers: readonly LayerValues[]): readonly ValuePair[] {
  const valuesOf = (mapId: string): ReadonlyMap<string, Value> => {
    const values = layers.find((layer) => layer.mapId === mapId)?.answer?.values ?? [];
    return new Map(values.map((value) => [value.name, value]));
  };
  const [inA, inB] = [valuesOf(a), valuesOf(b)];
  return [...new Set([...inA.keys(), ...inB.keys()])].map((name) => {
    const [left, right] = [inA.get(name) ?? null, inB.get(name) ?? null];
    const unit = left?.unit ?? right?.unit ?? null;
    return { name, unit, a: left, b: right, difference: difference(left, right) };
  });
}

function difference(a: Value | null, b: Value | null): number | null {
  if (a === null || b === null || !a.valid || !b.valid) return null;
  if (a.value === null || b.value === null || a.unit !== b.unit) return null;
  if (a.className !== undefined || b.className !== undefined) return null;
  return b.value - a.value;
}

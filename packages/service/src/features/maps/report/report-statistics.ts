import type { ReportedMap } from "./reported-map.ts";

const FACTS = [
  ["min", "minimum"],
  ["mean", "mean"],
  ["p50", "median"],
  ["max", "maximum"],
  ["std", "standard deviation"],
] as const;
const SHARES = [
  ["validRatio", "valid"],
  ["cloudRatio", "clouds"],
] as const;

/** What the page of a map says in numbers: name and value. */
export function statisticsOf({ mapType, metadata, areasM2 }: ReportedMap): readonly (readonly [string, string])[] {
  const rows: (readonly [string, string])[] = [];
  for (const [name, areaM2] of Object.entries(areasM2)) rows.push([`${name} area, km²`, (areaM2 / 1e6).toFixed(4)]);
  const layers = mapType.rendering.kind === "composite" ? {} : layersOf(metadata);
  for (const [layer, values] of Object.entries(layers)) {
    for (const [key, label] of FACTS) {
      const value = values[key];
      if (typeof value !== "number") continue;
      rows.push([
        Object.keys(layers).length === 1 ? label : `${layer}, ${label}`,
        String(Number(value.toPrecision(5))),
      ]);
    }
  }
  for (const [name, total] of Object.entries(metadata)) {
    const { value, unit } = record(total);
    if (typeof value === "number" && typeof unit === "string") rows.push([`${spaced(name)}, ${unit}`, String(value)]);
  }
  const { objects } = metadata;
  if (typeof objects === "number") rows.push(["objects", String(objects)]);
  for (const [key, label] of SHARES) {
    const value = metadata[key];
    if (typeof value === "number") rows.push([label, `${(100 * value).toFixed(1)} %`]);
  }
  return rows;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Statistics of each layer of values by its name; none of types that have classes only. */
export function layersOf(
  metadata: Readonly<Record<string, unknown>>,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const layers = Object.entries(record(metadata["layers"]));
  if (layers.length === 0) return { mean: record(metadata["statistics"]) };
  return Object.fromEntries(layers.map(([name, layer]) => [name, record(record(layer)["statistics"])]));
}

/** `sumOfLights` as `sum of lights`. */
function spaced(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

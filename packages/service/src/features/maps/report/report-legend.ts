import { RAMPS } from "@swath/kernel/raster-mathematics/colormap";
import type { Color, ReportLegend } from "../../../platform/pdf/report-content.ts";
import type { ReportedMap } from "./reported-map.ts";

const LEGEND_STEPS = 64;

/** The legend of the layer that the picture shows. */
export function legendOf({ mapType: { rendering }, layer }: ReportedMap): ReportLegend | null {
  if (rendering.kind === "composite") return null;
  if (rendering.kind === "index") {
    return ramp(RAMPS[rendering.ramp], rendering.index.shortName, linearTicks(rendering.range));
  }
  if (layer?.kind === "classes") return { kind: "classes", classes: layer.classes };
  if (layer?.kind !== "values") return null;
  const ticks = layer.scale === "asinh" ? asinhTicks(layer.range) : linearTicks(layer.range);
  return ramp(RAMPS[layer.ramp], layer.unit, ticks);
}

type Ticks = Extract<ReportLegend, { readonly kind: "ramp" }>["ticks"];

const TICKS = [0, 0.25, 0.5, 0.75, 1];

function linearTicks([low, high]: readonly [number, number]): Ticks {
  return TICKS.map((at) => ({ at, value: Number((low + at * (high - low)).toPrecision(4)) }));
}

/** Colours follow the inverse hyperbolic sine: equal steps of colour are not equal steps of value. */
function asinhTicks([low, high]: readonly [number, number]): Ticks {
  const [first, last] = [Math.asinh(low), Math.asinh(high)];
  return TICKS.map((at) => ({ at, value: Number(Math.sinh(first + at * (last - first)).toPrecision(2)) }));
}

function ramp(table: Uint8Array, unit: string, ticks: Ticks): ReportLegend {
  const colors = Array.from({ length: LEGEND_STEPS }, (_, i): Color => {
    const at = Math.round((i / (LEGEND_STEPS - 1)) * (table.length / 3 - 1)) * 3;
    return [table[at]!, table[at + 1]!, table[at + 2]!];
  });
  return { kind: "ramp", unit, ticks, colors };
}

import type { ResultLayer } from "@swath/kernel/raster-mathematics/rendering";
import type { Color, ReportChart } from "../../../platform/pdf/report-content.ts";
import { LINE_COLORS } from "./line-colors.ts";
import { layersOf } from "./report-statistics.ts";
import type { ReportedMap } from "./reported-map.ts";

/** Colours lighter than this cannot be seen on white. */
const PAPER = 200;

/** A line for each class or mean of every map type that has several dates. */
export function chartsOf(maps: readonly ReportedMap[]): readonly ReportChart[] {
  const charts: ReportChart[] = [];
  // Values of different areas do not belong on one line.
  const alike = Map.groupBy(maps, ({ mapType, geometryId }) => `${mapType.id} ${geometryId}`);
  for (const members of alike.values()) {
    const mapType = members[0]?.mapType;
    if (mapType === undefined) continue;
    if (new Set(members.map(({ datetime }) => datetime)).size < 2) continue;
    // Pixel values as stored follow the sun and the sensor more than the ground.
    if (members.some(({ mapType: { rendering } }) => rendering.kind === "composite")) continue;
    const lines = new Map<string, { date: string; value: number }[]>();
    const isClasses = members.some(({ mapType: { rendering } }) =>
      rendering.kind === "result" ? rendering.layers.some(({ kind }) => kind === "classes") : false,
    );
    for (const member of members) {
      const values = isClasses ? kilometres(member.areasM2) : means(member.metadata);
      for (const [name, value] of Object.entries(values)) {
        const line = lines.get(name) ?? [];
        line.push({ date: member.datetime, value });
        lines.set(name, line);
      }
    }
    const series = [...lines].map(([name, points], i) => ({
      name,
      color: lineColor(members[0]?.layer ?? null, name) ?? LINE_COLORS[i % LINE_COLORS.length]!,
      points,
    }));
    if (series.length === 0) continue;
    const unit = isClasses ? "area, km²" : "mean";
    charts.push({ name: fileNameOf(mapType.id, charts), title: `${mapType.longName} over time`, unit, series });
  }
  return charts;
}

/** Different for each chart: maps of one type may have several areas. */
function fileNameOf(id: string, charts: readonly ReportChart[]): string {
  const base = id.replaceAll(/[^A-Za-z0-9]+/gu, "-").slice(0, 100);
  const same = charts.filter(({ name }) => name === base || name.startsWith(`${base}-area-`)).length;
  return same === 0 ? base : `${base}-area-${same + 1}`;
}

/** A class has its own colour on charts, too, unless the paper has it. */
function lineColor(layer: ResultLayer | null, className: string): Color | null {
  if (layer?.kind !== "classes") return null;
  const color = layer.classes.find(({ name }) => name === className)?.color;
  return color === undefined || Math.min(...color) > PAPER ? null : color;
}

function kilometres(areasM2: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(areasM2).map(([name, areaM2]) => [name, areaM2 / 1e6]));
}

function means(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(layersOf(metadata)).flatMap(([name, { mean }]) => {
      return typeof mean === "number" ? [[name, mean]] : [];
    }),
  );
}

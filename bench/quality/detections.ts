import { absent, type Bar, type Figure } from "./figure.ts";
import { shareInterval, unitInterval } from "./interval.ts";
import type { FoundAt, Matched } from "./matching.ts";
import type { MapResult } from "./quality-bench.ts";

export function foundAt({ objects }: Pick<MapResult, "objects">): readonly FoundAt[] {
  return objects.map(({ centre, properties }) => ({ centre, properties }));
}

/** Recall and precision of one scene, with intervals of shares. */
export function detectionFigures(
  of: Pick<Figure, "mapType" | "page" | "data">,
  { hits, misses, falseAlarms, pairs }: Matched,
  bars: { readonly recall: Bar | null; readonly precision: Bar | null },
  note?: string,
): readonly Figure[] {
  const found = pairs.length + falseAlarms;
  return [
    {
      ...of,
      metric: "recall",
      value: hits / (hits + misses),
      interval: shareInterval(hits, hits + misses),
      bar: bars.recall,
      over: `${hits} of ${hits + misses}`,
    },
    {
      ...of,
      metric: "precision",
      value: found === 0 ? 0 : pairs.length / found,
      interval: shareInterval(pairs.length, found),
      bar: bars.precision,
      over: `${pairs.length} of ${found}`,
      ...(note === undefined ? {} : { note }),
    },
  ];
}

export function sumOf(parts: readonly Matched[]): Matched {
  return {
    hits: parts.reduce((sum, { hits }) => sum + hits, 0),
    misses: parts.reduce((sum, { misses }) => sum + misses, 0),
    falseAlarms: parts.reduce((sum, { falseAlarms }) => sum + falseAlarms, 0),
    pairs: parts.flatMap(({ pairs }) => pairs),
  };
}

/** Recall and precision over scenes, with the interval that the scenes give. */
export function overScenes(
  of: Pick<Figure, "mapType" | "page" | "data">,
  scenes: readonly Matched[],
  bars: { readonly recall: Bar | null; readonly precision: Bar | null },
): readonly Figure[] {
  const recall = (parts: readonly Matched[]): number => {
    const { hits, misses } = sumOf(parts);
    return hits / (hits + misses);
  };
  const precision = (parts: readonly Matched[]): number => {
    const { pairs, falseAlarms } = sumOf(parts);
    return pairs.length / (pairs.length + falseAlarms);
  };
  const { hits, misses, pairs, falseAlarms } = sumOf(scenes);
  const figure = (metric: string, value: number, statistic: typeof recall, bar: Bar | null, over: string): Figure =>
    Number.isFinite(value)
      ? { ...of, metric, value, interval: unitInterval(scenes, statistic), bar, over }
      : absent({ ...of, metric, bar }, "nothing to count");
  return [
    figure("recall", recall(scenes), recall, bars.recall, `${hits} of ${hits + misses} in ${scenes.length} scenes`),
    figure(
      "precision",
      precision(scenes),
      precision,
      bars.precision,
      `${pairs.length} of ${pairs.length + falseAlarms} in ${scenes.length} scenes`,
    ),
  ];
}

function mean(parts: readonly (readonly number[])[]): number {
  const all = parts.flat();
  return all.reduce((sum, value) => sum + value, 0) / all.length;
}

/** How well lengths, widths and headings of found ships are told. */
export function sizeFigures(
  of: Pick<Figure, "mapType" | "page" | "data">,
  scenes: readonly Matched[],
  bars: { readonly lengthM: Bar | null; readonly headingDeg: Bar | null },
): readonly Figure[] {
  const errors = (key: "lengthM" | "widthM"): readonly (readonly number[])[] =>
    scenes.map(({ pairs }) =>
      pairs.flatMap(({ truth, found }) => {
        const told = found.properties[key];
        const real = truth[key];
        return truth.counts && typeof told === "number" && real !== undefined ? [Math.abs(told - real)] : [];
      }),
    );
  const headings = scenes.map(({ pairs }) =>
    pairs.flatMap(({ truth, found }) => {
      const told = found.properties["headingDeg"];
      if (!truth.counts || typeof told !== "number" || truth.headingDeg === undefined) return [];
      const off = Math.abs(told - truth.headingDeg) % 180;
      return [Math.min(off, 180 - off)];
    }),
  );
  return (
    [
      ["mean error of length, m", errors("lengthM"), bars.lengthM],
      ["mean error of width, m", errors("widthM"), null],
      ["mean error of heading, degrees of 180", headings, bars.headingDeg],
    ] as const
  ).flatMap(([metric, parts, bar]): Figure[] => {
    const count = parts.flat().length;
    if (count === 0) return [];
    return [
      {
        ...of,
        metric,
        value: mean(parts),
        interval: unitInterval(parts, mean),
        bar,
        over: `${count} objects`,
        digits: 1,
      },
    ];
  });
}

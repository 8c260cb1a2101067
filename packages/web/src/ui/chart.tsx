import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { formatDay } from "../format/dates.ts";

type Values = readonly (number | null)[];

/** One series over time. Times are in ascending order; all lists have one value for each. */
export interface ChartData {
  readonly timesMs: readonly number[];
  /** Joined by a line. */
  readonly line: Values;
  /** Hollow dots beside the line. */
  readonly beside: Values;
  readonly low: Values;
  readonly high: Values;
}

const DAY_S = 86_400;
const STEPS_S = [1, 2, 5, 7, 14, 30, 61, 92, 183, 365, 730, 1_826].map((days) => days * DAY_S);
const FONT = '11px Inter, system-ui, "DejaVu Sans", sans-serif';

/** The one chart of the console: a slider over its dates for keyboards and screen readers, a picture for the rest. */
export function Chart(props: {
  readonly label: string;
  readonly data: ChartData;
  readonly valueText: (position: number) => string;
  /** What is said while no date is selected. */
  readonly noneText: string;
  /** Another theme draws again. */
  readonly theme: string;
  readonly selected: number | null;
  readonly onSelect: (position: number) => void;
}) {
  const { label, data, valueText, noneText, theme, selected, onSelect } = props;
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const marked = useRef(selected);
  const pick = useRef(onSelect);
  marked.current = selected;
  pick.current = onSelect;
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const drawn = new uPlot(optionsOf(element, data.timesMs, marked), uplotData(data), element);
    plot.current = drawn;
    drawn.over.addEventListener("click", ({ offsetX }) => pick.current(drawn.posToIdx(offsetX)));
    const observer = new ResizeObserver(() => drawn.setSize(sizeOf(element)));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
  }, [data, theme]);
  useEffect(() => plot.current?.redraw(), [selected]);
  const last = data.timesMs.length - 1;
  const onKey = (event: KeyboardEvent): void => {
    const target = targetOf(event.key, selected, last);
    if (target === null) return;
    event.preventDefault();
    event.stopPropagation();
    onSelect(target);
  };
  return (
    <div
      ref={frame}
      class="chart"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={selected ?? 0}
      aria-valuetext={selected === null ? noneText : valueText(selected)}
      onKeyDown={onKey}
    />
  );
}

/** Arrows go one date on, Home and End to the first and last one. */
function targetOf(key: string, selected: number | null, last: number): number | null {
  const at = selected ?? -1;
  if (key === "ArrowRight" || key === "ArrowUp") return Math.min(last, at + 1);
  if (key === "ArrowLeft" || key === "ArrowDown") return Math.max(0, at - 1);
  if (key === "Home") return 0;
  return key === "End" ? last : null;
}

function sizeOf(element: HTMLElement): { readonly width: number; readonly height: number } {
  return { width: Math.max(160, element.clientWidth), height: Math.max(100, element.clientHeight) };
}

function uplotData({ timesMs, low, high, line, beside }: ChartData): uPlot.AlignedData {
  return [timesMs.map((ms) => ms / 1_000), [...low], [...high], [...line], [...beside]];
}

/** A margin of two days at each end: uPlot pads the range of its last drawing again. */
function rangeOf(timesMs: readonly number[]): [number, number] {
  const [first = 0] = timesMs;
  return [first / 1_000 - 2 * DAY_S, (timesMs.at(-1) ?? first) / 1_000 + 2 * DAY_S];
}

function optionsOf(
  element: HTMLElement,
  timesMs: readonly number[],
  marked: { readonly current: number | null },
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (token: string): string => style.getPropertyValue(token).trim();
  const axis: uPlot.Axis = { stroke: colour("--text-2"), font: FONT, ticks: { show: false } };
  const edge: uPlot.Series = { width: 0, points: { show: false }, spanGaps: true };
  const series = colour("--cl1");
  return {
    ...sizeOf(element),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { range: () => rangeOf(timesMs) } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC"),
    axes: [
      {
        ...axis,
        grid: { show: false },
        incrs: STEPS_S,
        space: 96,
        size: 28,
        values: (_, splits) => splits.map((seconds) => formatDay(new Date(seconds * 1_000).toISOString())),
      },
      { ...axis, size: 56, grid: { stroke: colour("--line"), width: 1 } },
    ],
    bands: [{ series: [2, 1], fill: `${series}29` }],
    series: [
      {},
      edge,
      edge,
      { stroke: series, width: 1.75, spanGaps: true, points: { show: true, size: 6, fill: series, stroke: series } },
      {
        stroke: series,
        width: 0,
        points: { show: true, size: 7, width: 1.5, fill: colour("--panel"), stroke: series },
      },
    ],
    hooks: { draw: [(drawn) => drawMark(drawn, marked.current, colour("--sel-map"), colour("--panel"))] },
  };
}

/** The selected date: an orange line in a casing, so that it stands out of line and band. */
function drawMark(drawn: uPlot, position: number | null, colour: string, casing: string): void {
  const seconds = position === null ? undefined : drawn.data[0][position];
  if (seconds === undefined) return;
  const { ctx, bbox } = drawn;
  const x = Math.round(drawn.valToPos(seconds, "x", true));
  for (const [width, stroke] of [
    [6, casing],
    [3, colour],
  ] as const) {
    ctx.beginPath();
    ctx.lineWidth = width * devicePixelRatio;
    ctx.strokeStyle = stroke;
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
}

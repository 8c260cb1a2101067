import { useMemo, useState } from "preact/hooks";
import { formatDay, timeMs } from "../format/dates.ts";
import { Chart, type ChartData } from "../ui/chart.tsx";
import { Failure } from "../ui/failure.tsx";
import { useConsole } from "../use-console.ts";
import { DateLine } from "./date-line.tsx";
import type { SeriesAnswer } from "./load-series.ts";
import type { SeriesOrder } from "./series-order.ts";
import { measureKey, measureName, measuresOf, pointsOf, type SeriesPoint } from "./series-points.ts";
import { SeriesPrice } from "./series-price.tsx";
import { SeriesTable, valueText } from "./series-table.tsx";
import { seriesText } from "./series-text.ts";
import { useSeries } from "./use-series.ts";

/** The price of a series, then its chart; the old one is dimmed while the next one is read. */
export function SeriesView(props: {
  readonly order: SeriesOrder;
  /** Scenes of the search at the place; the order has the newest of them. */
  readonly allScenes: number;
  readonly isTable: boolean;
}) {
  const { order, allScenes, isTable } = props;
  const { status, answer, pay, retry } = useSeries(order);
  if (status.kind === "priced") {
    return <SeriesPrice order={order} allScenes={allScenes} status={status} onPay={pay} />;
  }
  if (status.kind === "failed") return <Failure error={status.error} onRetry={retry} />;
  const waiting = status.kind === "drawing" ? seriesText.drawing(order.sceneIds.length) : seriesText.counting;
  if (answer === null) {
    return (
      <div class="state" role="status">
        <p>{waiting}</p>
        <div class="skeleton" />
        <div class="skeleton" />
      </div>
    );
  }
  return (
    <div class={`series-body ${status.kind === "done" ? "" : "dimmed"}`}>
      <Drawn answer={answer} isTable={isTable} newest={allScenes > order.sceneIds.length ? allScenes : null} />
    </div>
  );
}

function Drawn(props: {
  readonly answer: SeriesAnswer;
  readonly isTable: boolean;
  /** All scenes where only the newest are drawn. */
  readonly newest: number | null;
}) {
  const { answer, isTable, newest } = props;
  const { state, update } = useConsole();
  const [chosen, setChosen] = useState("");
  const measures = useMemo(() => measuresOf(answer.rows), [answer]);
  const measure = measures.find((one) => measureKey(one) === chosen) ?? measures[0];
  const points = useMemo(() => (measure === undefined ? [] : pointsOf(answer.rows, measure)), [answer, measure]);
  const data = useMemo(() => chartData(points), [points]);
  if (measure === undefined || points.every(({ value }) => value === null)) {
    return (
      <div class="state">
        <p>{seriesText.none}</p>
        <Gaps answer={answer} newest={newest} />
      </div>
    );
  }
  const at = points.findIndex(({ sceneId }) => sceneId === state.value.selectedSceneId);
  const selected = at < 0 ? null : at;
  const select = (position: number): void => update({ selectedSceneId: points[position]?.sceneId ?? null });
  const textOf = (position: number): string => {
    const point = points[position];
    return point === undefined ? "" : seriesText.dateValue(formatDay(point.datetime), valueText(point, measure));
  };
  return (
    <>
      <div class="series-title">
        {measures.length > 1 ? (
          <select
            aria-label={seriesText.value}
            value={measureKey(measure)}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            {measures.map((one) => (
              <option key={measureKey(one)} value={measureKey(one)}>
                {measureName(one)}
              </option>
            ))}
          </select>
        ) : (
          <strong>{measureName(measure)}</strong>
        )}
        <span class="spring">{selected === null ? "" : textOf(selected)}</span>
        <span class="hint wide-only">{seriesText.legend}</span>
      </div>
      {isTable ? (
        <SeriesTable points={points} measure={measure} selected={selected} onSelect={select} />
      ) : (
        <Chart
          label={seriesText.chart(measureName(measure), answer.mapType)}
          data={data}
          valueText={textOf}
          noneText={seriesText.noDate}
          theme={state.value.theme ?? "light"}
          selected={selected}
          onSelect={select}
        />
      )}
      <footer>
        <DateLine point={points[at] ?? null} mapType={answer.mapType} />
        <Gaps answer={answer} newest={newest} />
      </footer>
    </>
  );
}

/** Dates that the chart lacks, and dates that are less sure, with the reason. */
function Gaps({ answer, newest }: { readonly answer: SeriesAnswer; readonly newest: number | null }) {
  const { failed, unmasked } = answer;
  const [problem] = failed;
  return (
    <p class="hint">
      {newest !== null && `${seriesText.newest(answer.rows.length, newest)} `}
      {problem !== undefined && (
        <span class="warn-text">{seriesText.failed(failed.length, problem.errorMessage)} </span>
      )}
      {unmasked.length > 0 && seriesText.unmasked(unmasked.length)}
    </p>
  );
}

function chartData(points: readonly SeriesPoint[]): ChartData {
  return {
    timesMs: points.map(({ datetime }) => timeMs(datetime)),
    line: points.map(({ value, isCloudy }) => (isCloudy ? null : value)),
    beside: points.map(({ value, isCloudy }) => (isCloudy ? value : null)),
    low: points.map(({ low, isCloudy }) => (isCloudy ? null : low)),
    high: points.map(({ high, isCloudy }) => (isCloudy ? null : high)),
  };
}

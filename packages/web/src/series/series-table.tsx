import { formatDay, formatTime } from "../format/dates.ts";
import { formatShare, formatValue } from "../format/numbers.ts";
import { TableFrame } from "../ui/table-frame.tsx";
import { measureName, type Measure, type SeriesPoint } from "./series-points.ts";
import { seriesText } from "./series-text.ts";

/** The value of a point in words. */
export function valueText({ value }: SeriesPoint, { className }: Measure): string {
  if (value === null) return seriesText.noValue;
  return className === null ? formatValue(value) : formatShare(value);
}

/** The values of the chart; its dates are chosen here too. */
export function SeriesTable(props: {
  readonly points: readonly SeriesPoint[];
  readonly measure: Measure;
  readonly selected: number | null;
  readonly onSelect: (position: number) => void;
}) {
  const { points, measure, selected, onSelect } = props;
  return (
    <TableFrame label={measureName(measure)} class="series-table">
      <table class="table">
        <thead>
          <tr>
            <th>{seriesText.date}</th>
            <th class="number">{measureName(measure)}</th>
            <th class="number">{seriesText.half}</th>
            <th class="number">{seriesText.clear}</th>
          </tr>
        </thead>
        <tbody>
          {points.map((point, position) => (
            <tr key={point.sceneId} class={position === selected ? "selected" : ""}>
              <td>
                <button
                  type="button"
                  class="link"
                  aria-pressed={position === selected}
                  onClick={() => onSelect(position)}
                >
                  {formatDay(point.datetime)} {formatTime(point.datetime)}
                </button>
              </td>
              <td class="number">{valueText(point, measure)}</td>
              <td class="number">
                {point.low === null || point.high === null
                  ? ""
                  : `${formatValue(point.low)} – ${formatValue(point.high)}`}
              </td>
              <td class="number">{point.clearShare === null ? "" : formatShare(point.clearShare)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

import { formatDay } from "../format/dates.ts";
import { creditText } from "../format/numbers.ts";
import { useConsole } from "../use-console.ts";
import type { SeriesPoint } from "./series-points.ts";
import { seriesText } from "./series-text.ts";
import { useDateMap } from "./use-date-map.ts";

/** Whether the map shows the selected date; without a map of it, its price and the button that makes it. */
export function DateLine({ point, mapType }: { readonly point: SeriesPoint | null; readonly mapType: string }) {
  const { layers, rights } = useConsole();
  const isMade = layers.list.value.some(
    ({ facts, mapType: type }) =>
      facts !== null && facts !== "failed" && facts.sceneId === point?.sceneId && type === mapType,
  );
  const { price, hasChanged, isMaking, make } = useDateMap(isMade ? null : (point?.sceneId ?? null), mapType);
  if (point === null) return <p class="series-date hint">{seriesText.chooseDate}</p>;
  const day = formatDay(point.datetime);
  if (isMade) {
    return (
      <p class="series-date" role="status">
        {seriesText.shown(day)}
      </p>
    );
  }
  const missing = price === null ? 0 : price.credits - price.remainingCredit;
  const mayPay = price !== null && (price.credits === 0 || rights.value.holds(seriesText.payPermission));
  return (
    <div class="series-date" role="status">
      <span>{hasChanged ? seriesText.changed : seriesText.notMade(day)}</span>
      {price === null && <span class="hint">{seriesText.counting}</span>}
      {missing > 0 && <span class="warn-text">{seriesText.missing(creditText(missing))}</span>}
      {mayPay && missing <= 0 && (
        <button type="button" class="button small" disabled={isMaking} onClick={make}>
          {price.credits === 0 ? seriesText.make : seriesText.makeFor(creditText(price.credits))}
        </button>
      )}
    </div>
  );
}

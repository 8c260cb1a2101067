import { MissingCredit } from "../buy/missing-credit.tsx";
import { creditText, formatArea } from "../format/numbers.ts";
import { text } from "../text/en.ts";
import { useConsole } from "../use-console.ts";
import type { SeriesOrder } from "./series-order.ts";
import { seriesText } from "./series-text.ts";
import type { SeriesStatus } from "./use-series.ts";

/** The price of the maps of a series, before anything is charged. */
export function SeriesPrice(props: {
  readonly order: SeriesOrder;
  readonly allScenes: number;
  readonly status: Extract<SeriesStatus, { readonly kind: "priced" }>;
  readonly onPay: () => void;
}) {
  const { order, allScenes, status, onPay } = props;
  const { rights } = useConsole();
  const { price, hasChanged } = status;
  const { mapType, sceneIds } = order;
  const missing = price.credits - price.remainingCredit;
  const mayPay = rights.value.holds(seriesText.payPermission);
  return (
    <div class="state">
      <p>
        {seriesText.price(seriesText.scenes(sceneIds.length), mapType, formatArea(price.newKm2))}{" "}
        {allScenes > sceneIds.length && seriesText.newest(sceneIds.length, allScenes)}
      </p>
      {hasChanged && (
        <p class="note warn" role="alert">
          {seriesText.changed}
        </p>
      )}
      {!mayPay && <p class="warn-text">{text.errors.permission(seriesText.payPermission)}</p>}
      {mayPay && missing > 0 && <MissingCredit missing={missing} />}
      {mayPay && missing <= 0 && (
        <>
          <button type="button" class="button primary" onClick={onPay}>
            {seriesText.confirm(creditText(price.credits))}
          </button>
          <p class="hint">{seriesText.left(creditText(-missing))}</p>
        </>
      )}
    </div>
  );
}

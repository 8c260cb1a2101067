import { useEffect, useState } from "preact/hooks";
import { boxOfGeometry } from "../find/area-rings.ts";
import { messageOf } from "../failures/message-of.ts";
import { formatDay, formatTime } from "../format/dates.ts";
import { formatArea } from "../format/numbers.ts";
import { Credits } from "../ui/credits.tsx";
import { useConsole } from "../use-console.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { CaptureList } from "./capture-list.tsx";
import type { AreaPolygon } from "./study.ts";
import { ORDERS } from "./tasking-side.tsx";
import { taskingText as text } from "./tasking-text.ts";
import { useOrder, type Followed } from "./use-order.ts";

/** One order: its terms, each change of its status, and its captures. */
export function OrderView({ orderId }: { readonly orderId: string }) {
  const { open, map } = useConsole();
  const { followed, problem, lookAgain } = useOrder(orderId);
  const [isCancelling, setCancelling] = useState(false);
  const hasArea = followed !== null;
  useEffect(() => {
    if (followed === null) return undefined;
    const geometry = followed.order.geometry as AreaPolygon;
    map.showShapes("tasking-order", { shapes: [{ id: orderId, geometry, look: "area" }] });
    map.fit(boxOfGeometry(geometry));
    return () => map.showShapes("tasking-order", null);
  }, [hasArea]);
  return (
    <div class="side-body">
      <button type="button" class="link back" onClick={() => open("tasking", ORDERS)}>
        {text.back}
      </button>
      {problem !== null && (
        <div class="state" role="alert">
          <p>{messageOf(problem)}</p>
          <button type="button" class="button" onClick={lookAgain}>
            {text.retry}
          </button>
        </div>
      )}
      {followed === null && problem === null && <div class="skeleton" role="status" aria-label={text.loading} />}
      {followed !== null && (
        <>
          <OrderFacts order={followed.order} />
          <History order={followed.order} />
          <CaptureList order={followed.order} captures={followed.captures} />
          {followed.order.cancellation.requestedTime !== null && followed.order.status !== "CANCELLED" && (
            <p class="note">{text.cancelling}</p>
          )}
          {followed.order.isCancellable && (
            <button type="button" class="button" onClick={() => setCancelling(true)}>
              {text.cancel}
            </button>
          )}
          {isCancelling && (
            <CancelDialog
              order={followed.order}
              onClose={(isCancelled) => {
                setCancelling(false);
                if (isCancelled) lookAgain();
              }}
            />
          )}
        </>
      )}
    </div>
  );
}

function OrderFacts({ order }: Pick<Followed, "order">) {
  const { name, provider, dataset, startTime, endTime, areaKm2, price } = order;
  return (
    <>
      <h2>{name}</h2>
      <dl class="values facts-list">
        <dt>{text.dataset}</dt>
        <dd>{`${provider} ${dataset}`}</dd>
        <dt>{text.interval}</dt>
        <dd>{`${formatDay(startTime)} – ${formatDay(endTime)}`}</dd>
        <dt>{text.area}</dt>
        <dd>{formatArea(areaKm2)}</dd>
        <dt>{text.price}</dt>
        <dd>{price === 0 ? text.free : <Credits value={price} />}</dd>
      </dl>
    </>
  );
}

function History({ order }: Pick<Followed, "order">) {
  return (
    <>
      <h3>{text.history}</h3>
      <ol class="history" aria-live="polite">
        {order.history.map(({ time, status, reasonText }) => (
          <li key={`${time} ${status}`}>
            <strong>{text.statuses[status]}</strong> {`${formatDay(time)} ${formatTime(time)}`}
            {reasonText !== null && <p class="hint">{reasonText}</p>}
          </li>
        ))}
      </ol>
    </>
  );
}

import { useEffect, useState } from "preact/hooks";
import type { Client } from "@swath/client";
import { formatDay } from "../format/dates.ts";
import { messageOf } from "../failures/message-of.ts";
import { Credits } from "../ui/credits.tsx";
import { useConsole } from "../use-console.ts";
import { ORDERS } from "./tasking-side.tsx";
import { taskingText as text } from "./tasking-text.ts";

const PAGE = 50;

type Page = Awaited<ReturnType<typeof listOrders>>;

async function listOrders(calls: Client, cursor: number | null) {
  return await calls.call("/scene-tasking/order/list", { limit: PAGE, ...(cursor === null ? {} : { cursor }) });
}

/** Orders that the user may see, the newest first. */
export function OrderList() {
  const { calls, session, open } = useConsole();
  const [page, setPage] = useState<Page | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const load = (cursor: number | null): void => {
    setProblem(null);
    listOrders(calls, cursor).then(
      (next) => setPage({ ...next, results: [...(cursor === null ? [] : (page?.results ?? [])), ...next.results] }),
      setProblem,
    );
  };
  const isSignedIn = session.state.value.kind === "signed-in";
  useEffect(() => {
    if (isSignedIn) load(null);
  }, [isSignedIn]);
  return (
    <div class="side-body">
      {problem !== null && (
        <div class="state" role="alert">
          <p>{messageOf(problem)}</p>
          <button type="button" class="button" onClick={() => load(null)}>
            {text.retry}
          </button>
        </div>
      )}
      {page === null && problem === null && <div class="skeleton" role="status" aria-label={text.loading} />}
      {page?.results.length === 0 && (
        <div class="state">
          <p>{text.noOrders}</p>
          <button type="button" class="button primary" onClick={() => open("tasking")}>
            {text.noOrdersAction}
          </button>
        </div>
      )}
      {page !== null && page.results.length > 0 && (
        <ul class="opportunities" aria-label={text.orders}>
          {page.results.map(({ id, name, status, dataset, createdTime, price }) => (
            <li key={id} class="scene">
              <button type="button" class="scene-button" onClick={() => open("tasking", ORDERS, id)}>
                <span class="facts spring">
                  <span>
                    <strong>{name}</strong>
                  </span>
                  <span>{`${text.statuses[status]} · ${dataset} · ${formatDay(createdTime)}`}</span>
                </span>
                <strong>{price === 0 ? text.free : <Credits value={price} />}</strong>
              </button>
            </li>
          ))}
        </ul>
      )}
      {page !== null && page.cursor !== null && (
        <button type="button" class="button" onClick={() => load(page.cursor)}>
          {text.more}
        </button>
      )}
    </div>
  );
}

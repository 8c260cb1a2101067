import { ApiError, type Client } from "@swath/client";
import { useState } from "preact/hooks";
import { messageOf } from "../failures/message-of.ts";
import { formatDay, formatTime } from "../format/dates.ts";
import { formatCredits } from "../format/numbers.ts";
import { Credits } from "../ui/credits.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TableFrame } from "../ui/table-frame.tsx";
import { useConsole } from "../use-console.ts";
import { monitorFormText } from "./monitor-form-text.ts";
import { monitorsText } from "./monitors-text.ts";

const { past: words } = monitorFormText;

type Plan = Awaited<ReturnType<typeof askPlan>>;

interface Period {
  readonly monitorId: string;
  readonly start: string;
  readonly end: string;
}

/** Measures past scenes of a monitor at a price that is shown before. */
export function PastScenesDialog({ monitorId, onClose }: { readonly monitorId: string; readonly onClose: () => void }) {
  const { calls, state, credit } = useConsole();
  const { time } = state.value;
  const [period, setPeriod] = useState<Period>({ monitorId, start: time?.start ?? "", end: time?.end ?? "" });
  const [plan, setPlan] = useState<Plan | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const attempt = (action: () => Promise<void>): void => {
    setBusy(true);
    setProblem(null);
    action()
      .catch((error: unknown) => setProblem(messageOf(error)))
      .finally(() => setBusy(false));
  };
  const ask = async (): Promise<void> => setPlan(await askPlan(calls, period));
  const take = async (told: Plan): Promise<void> => {
    try {
      await calls.run("/monitor/backfill", { ...requestOf(period), expectedCredits: told.credits });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "CONFLICT") throw error;
      setPlan(await askPlan(calls, period));
      setProblem(words.changed);
      return;
    }
    credit.value = (await calls.call("/credits/get-remaining-credit")).remainingCredit;
    onClose();
  };
  const fitting = plan?.scenes.filter(({ fits }) => fits).length ?? 0;
  const change = (next: Partial<Period>): void => {
    setPlan(null);
    setPeriod({ ...period, ...next });
  };
  return (
    <Dialog title={words.title} closeLabel={monitorsText.cancel} onClose={onClose}>
      <form
        class="dialog-body"
        onSubmit={(event) => {
          event.preventDefault();
          attempt(ask);
        }}
      >
        <p>{words.about}</p>
        <div class="form-grid">
          <Day label={words.start} value={period.start} onChange={(start) => change({ start })} />
          <Day label={words.end} value={period.end} onChange={(end) => change({ end })} />
          <button type="submit" class="button" disabled={isBusy}>
            {isBusy && plan === null ? words.counting : words.price}
          </button>
        </div>
        {problem !== null && (
          <p class="note bad" role="alert">
            {problem}
          </p>
        )}
        {plan !== null && <PlanTable plan={plan} isDimmed={isBusy} />}
      </form>
      <footer>
        <span class="spring" />
        <button type="button" class="button" onClick={onClose}>
          {monitorsText.cancel}
        </button>
        {plan !== null && fitting > 0 && (
          <button type="button" class="button primary" disabled={isBusy} onClick={() => attempt(() => take(plan))}>
            {words.confirm(fitting, creditText(plan.credits))}
          </button>
        )}
      </footer>
    </Dialog>
  );
}

function Day(props: { readonly label: string; readonly value: string; readonly onChange: (day: string) => void }) {
  return (
    <label class="field">
      {props.label}
      <input type="date" required value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)} />
    </label>
  );
}

function PlanTable({ plan, isDimmed }: { readonly plan: Plan; readonly isDimmed: boolean }) {
  const { scenes, credits, knownCount, leftCredits, month } = plan;
  const leftOut = scenes.filter(({ fits }) => !fits).length;
  const known = knownCount === 0 ? "" : ` ${words.known(knownCount)}`;
  if (scenes.length === 0) return <p role="status">{`${words.none}${known}`}</p>;
  return (
    <div role="status" class={isDimmed ? "dimmed" : ""}>
      <TableFrame class="past-scenes" label={words.title}>
        <table class="prices">
          <thead>
            <tr>
              <th scope="col">{words.scene}</th>
              <th scope="col" class="number">
                {words.credits}
              </th>
            </tr>
          </thead>
          <tbody>
            {scenes.map(({ sceneId, datetime, credits: price, fits, message }) => (
              <tr key={sceneId}>
                <td>
                  {formatDay(datetime)} {formatTime(datetime)}
                  {message !== null && <div class="hint">{message}</div>}
                </td>
                <td class={`number ${fits ? "" : "hint"}`}>
                  <Credits value={price} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      <dl class="facts-list">
        <dt>{words.pay}</dt>
        <dd data-testid="past-price">
          <Credits value={credits} />
        </dd>
        <dt>{words.left(month)}</dt>
        <dd>
          <Credits value={leftCredits} />
        </dd>
      </dl>
      <p class="hint">{`${leftOut === 0 ? "" : words.leftOut(leftOut)}${known}`}</p>
    </div>
  );
}

async function askPlan(calls: Client, period: Period) {
  return await calls.run("/monitor/backfill/dry-run", requestOf(period));
}

function requestOf({ monitorId, start, end }: Period) {
  return { monitorId, startDatetime: `${start} 00:00:00`, endDatetime: `${end} 23:59:59` };
}

function creditText(credits: number): string {
  const { main, tail } = formatCredits(credits);
  return main + tail;
}

import { formatDay, formatTime } from "../format/dates.ts";
import { messageOf } from "../failures/message-of.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import { useConsole } from "../use-console.ts";
import { webhooksText as words } from "./webhooks-text.ts";

const SHOWN = 20;

/** The latest deliveries of a webhook with their attempts. */
export function WebhookDeliveries(props: {
  readonly webhookId: string;
  /** Another number reads them again. */
  readonly round: number;
  readonly mayReplay: boolean;
}) {
  const { webhookId: id, round, mayReplay } = props;
  const { calls, attempt } = useConsole();
  const loaded = useLoaded(
    async (signal) => (await calls.call("/webhook/deliveries", { id, limit: SHOWN }, { signal })).results,
    [round],
  );
  const deliveries = loaded.value ?? [];
  const replay = async (eventId: string): Promise<void> => {
    await calls.call("/webhook/replay", { id, eventId });
    loaded.reload();
  };
  return (
    <details>
      <summary>{`${words.deliveries} (${deliveries.length})`}</summary>
      <button type="button" class="button small" onClick={loaded.reload}>
        {words.look}
      </button>
      {loaded.error !== null && <p class="warn-text">{messageOf(loaded.error)}</p>}
      {loaded.value !== null && deliveries.length === 0 && <p class="hint">{words.noDeliveries}</p>}
      <ul class="cards">
        {deliveries.map(({ eventId, type, status, attempts, log, createdAt }) => (
          <li key={eventId}>
            <div class="row">
              <span class="spring">
                {type} <span class={status === "failed" ? "bad-text" : "hint"}>{words.status[status]}</span>
              </span>
              {mayReplay && status !== "pending" && (
                <button
                  type="button"
                  class="button small"
                  aria-label={words.replayOf(type)}
                  onClick={() => attempt(() => replay(eventId))}
                >
                  {words.replay}
                </button>
              )}
            </div>
            <p class="hint">{`${formatDay(createdAt)} ${formatTime(createdAt)} · ${words.attempts(attempts)}`}</p>
            {log.map(({ at, status: answer, error, durationMs }) => (
              <p key={at} class="hint">
                {`${formatTime(at)} ${answer ?? words.noAnswer} ${durationMs} ms ${error ?? ""}`}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}

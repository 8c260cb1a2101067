import { useState } from "preact/hooks";
import { ScreenLink } from "../screens/screen-link.tsx";
import { Failure } from "../ui/failure.tsx";
import { Skeletons } from "../ui/skeletons.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { useConsole } from "../use-console.ts";
import { AlertMark } from "./alert-mark.tsx";
import { mayWatch } from "./may-watch.ts";
import { MonitorBudget } from "./monitor-budget.tsx";
import { listMonitors, type Monitor } from "./monitor.ts";
import { monitorsText } from "./monitors-text.ts";
import { ruleText } from "./rule-text.ts";

/** All monitors of the user, the newest first. */
export function MonitorList() {
  const { calls, rights, attempt, alerts } = useConsole();
  const [more, setMore] = useState<readonly Monitor[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const page = useLoaded(
    async (signal) => {
      const first = await listMonitors(calls, null, signal);
      setMore([]);
      setCursor(first.cursor);
      return first.results;
    },
    [alerts.list.value],
  );
  const loadMore = async (): Promise<void> => {
    const next = await listMonitors(calls, cursor, new AbortController().signal);
    setMore([...more, ...next.results]);
    setCursor(next.cursor);
  };
  if (page.error !== null) return <Failure error={page.error} onRetry={page.reload} />;
  if (page.value === null) return <Skeletons label={monitorsText.title} />;
  const monitors = [...page.value, ...more];
  const newLink = mayWatch(rights.value) && (
    <ScreenLink screen="monitors" parts={["new"]} class={`button ${monitors.length === 0 ? "primary" : ""}`}>
      {monitors.length === 0 ? monitorsText.first : monitorsText.new}
    </ScreenLink>
  );
  if (monitors.length === 0) {
    return (
      <div class="state">
        <h3>{monitorsText.none}</h3>
        <p>{monitorsText.about}</p>
        {newLink}
      </div>
    );
  }
  return (
    <div class="side-body">
      <div class="row">
        <span class="spring" />
        {newLink}
      </div>
      <ul class={`cards ${page.isLoading ? "dimmed" : ""}`} aria-label={monitorsText.title}>
        {monitors.map((monitor) => (
          <MonitorCard key={monitor.id} monitor={monitor} />
        ))}
      </ul>
      {cursor !== null && (
        <button type="button" class="button" onClick={() => attempt(loadMore)}>
          {monitorsText.more}
        </button>
      )}
    </div>
  );
}

function MonitorCard({ monitor }: { readonly monitor: Monitor }) {
  const { alerts } = useConsole();
  const { id, name, rule, areaCount, mapTypes } = monitor;
  const count = alerts.list.value.filter(({ monitorId }) => monitorId === id).length;
  return (
    <li class="card">
      <div class="row">
        <ScreenLink screen="monitors" parts={[id]} class="spring">
          <strong>{name}</strong>
        </ScreenLink>
        {count > 0 && (
          <span class="bad-text">
            <AlertMark /> {count}
          </span>
        )}
        <MonitorState monitor={monitor} />
      </div>
      <p>{ruleText(rule)}</p>
      <p class="hint">
        {monitorsText.areaCount(areaCount)} · {mapTypes.join(", ")}
      </p>
      <MonitorBudget monitor={monitor} />
    </li>
  );
}

export function MonitorState({ monitor }: { readonly monitor: Pick<Monitor, "enabled" | "stopReason"> }) {
  const { enabled, stopReason } = monitor;
  if (stopReason !== null) return <span class="warn-text">{monitorsText.stopped(stopReason)}</span>;
  return <span class={enabled ? "ok-text" : "hint"}>{enabled ? monitorsText.watches : monitorsText.paused}</span>;
}

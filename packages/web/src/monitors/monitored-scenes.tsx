import { formatDay, formatTime } from "../format/dates.ts";
import { formatValue } from "../format/numbers.ts";
import { Credits } from "../ui/credits.tsx";
import { TableFrame } from "../ui/table-frame.tsx";
import { useConsole } from "../use-console.ts";
import { AlertMark } from "./alert-mark.tsx";
import type { DetailedMonitor, MonitoredScene } from "./monitor.ts";
import { monitorsText } from "./monitors-text.ts";
import { openScene } from "./open-scene.ts";

/** Areas whose value a row shows. */
const SHOWN_AREAS = 3;

/** The latest scenes of a monitor: measured, waiting or skipped with the reason. */
export function MonitoredScenes({ monitor }: { readonly monitor: DetailedMonitor }) {
  if (monitor.scenes.length === 0) return <p class="hint">{monitorsText.noScenes}</p>;
  return (
    <TableFrame label={monitorsText.scenes}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{monitorsText.matched}</th>
            <th scope="col">{monitorsText.result}</th>
            <th scope="col" class="number">
              {monitorsText.credits}
            </th>
          </tr>
        </thead>
        <tbody>
          {monitor.scenes.map((scene) => (
            <SceneRow key={scene.sceneId} scene={scene} monitorId={monitor.id} />
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

function SceneRow({ scene, monitorId }: { readonly scene: MonitoredScene; readonly monitorId: string }) {
  const app = useConsole();
  const { sceneId, status, alertAreas, chargedCredits, matchedAt } = scene;
  const alert = app.alerts.list.value.find((one) => one.sceneId === sceneId && one.monitorId === monitorId);
  const when = `${formatDay(matchedAt)} ${formatTime(matchedAt)}`;
  const open = async (): Promise<void> =>
    await openScene(app, { monitorId, sceneId, datetime: alert?.datetime ?? null });
  return (
    <tr class={app.state.value.selectedSceneId === sceneId ? "selected" : ""}>
      <th scope="row">
        {status === "DONE" ? (
          <button
            type="button"
            class="link"
            aria-label={monitorsText.openScene(when)}
            title={sceneId}
            onClick={() => app.attempt(open)}
          >
            {when}
          </button>
        ) : (
          <span title={sceneId}>{when}</span>
        )}
      </th>
      <td>
        {alertAreas.length > 0 && <AlertMark />} <Result scene={scene} />
      </td>
      <td class="number">
        <Credits value={chargedCredits} />
      </td>
    </tr>
  );
}

function Result({ scene }: { readonly scene: MonitoredScene }) {
  const { status, skipReason, message, values } = scene;
  if (status === "DONE") {
    const shown = values.slice(0, SHOWN_AREAS);
    return (
      <>
        {shown.map(({ value }) => (value === null ? monitorsText.noValue : formatValue(value))).join(" · ")}
        {values.length > shown.length && (
          <span class="hint"> {monitorsText.alerts.more(values.length - shown.length)}</span>
        )}
      </>
    );
  }
  const reason = skipReason === null ? "" : `: ${monitorsText.skipped[skipReason]}`;
  return (
    <>
      {monitorsText.status[status]}
      {reason}
      {message !== null && <span class="hint"> {message}</span>}
    </>
  );
}

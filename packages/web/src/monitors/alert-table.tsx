import { useEffect } from "preact/hooks";
import { formatDay, formatTime } from "../format/dates.ts";
import { ScreenLink } from "../screens/screen-link.tsx";
import { TableFrame } from "../ui/table-frame.tsx";
import { useConsole } from "../use-console.ts";
import { AlertMark } from "./alert-mark.tsx";
import type { Alert } from "./alert.ts";
import { monitorsText } from "./monitors-text.ts";
import { openScene } from "./open-scene.ts";
import { findingText } from "./rule-text.ts";

const { alerts: words } = monitorsText;

/** Findings that a row names. */
const NAMED = 3;

/** Alerts of all monitors, the newest first, as they happen. */
export function AlertTable() {
  const { alerts } = useConsole();
  const { value: list } = alerts.list;
  useEffect(() => alerts.see(), [list]);
  return (
    <div class="side-body">
      {alerts.problem.value !== null && (
        <p class="note warn" role="status">
          {words.broken}
        </p>
      )}
      {list.length === 0 ? (
        <div class="state">
          <p>{words.none}</p>
          <ScreenLink screen="monitors" parts={["new"]} class="button">
            {monitorsText.first}
          </ScreenLink>
        </div>
      ) : (
        <>
          <TableFrame label={words.title}>
            <table class="table alerts">
              <thead>
                <tr>
                  <th scope="col">{monitorsText.scene}</th>
                  <th scope="col">{words.finding}</th>
                  <th scope="col">
                    <span class="unseen">{monitorsText.open}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {list.map((alert) => (
                  <AlertRow key={alert.id} alert={alert} />
                ))}
              </tbody>
            </table>
          </TableFrame>
          <p class="hint">
            {monitorsText.utc} {words.kept}
          </p>
        </>
      )}
    </div>
  );
}

function AlertRow({ alert }: { readonly alert: Alert }) {
  const app = useConsole();
  const { monitorId, name, sceneId, datetime, findings, alertCount } = alert;
  const isOpen = app.state.value.selectedSceneId === sceneId;
  const shown = findings.slice(0, NAMED);
  return (
    <tr class={isOpen ? "selected" : ""}>
      <th scope="row">
        <AlertMark /> {formatDay(datetime)} {formatTime(datetime)}
        <br />
        <ScreenLink screen="monitors" parts={[monitorId]}>
          {name}
        </ScreenLink>
      </th>
      <td>
        {shown.map((finding) => (
          <div key={finding.area}>{findingText(finding)}</div>
        ))}
        {alertCount > shown.length && <div class="hint">{words.more(alertCount - shown.length)}</div>}
      </td>
      <td>
        <button
          type="button"
          class="button small"
          aria-label={monitorsText.openScene(formatDay(datetime))}
          onClick={() => app.attempt(() => openScene(app, { monitorId, sceneId, datetime }))}
        >
          {monitorsText.open}
        </button>
      </td>
    </tr>
  );
}

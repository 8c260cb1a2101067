import { useEffect, useState } from "preact/hooks";
import { boxOfGeometry } from "../find/area-rings.ts";
import { messageOf } from "../failures/message-of.ts";
import { ScreenLink } from "../screens/screen-link.tsx";
import { Failure } from "../ui/failure.tsx";
import { Skeletons } from "../ui/skeletons.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { useConsole } from "../use-console.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { mayWatch } from "./may-watch.ts";
import { MonitorBudget } from "./monitor-budget.tsx";
import { MonitorFacts } from "./monitor-facts.tsx";
import { MonitorForm } from "./monitor-form.tsx";
import { MonitorState } from "./monitor-list.tsx";
import { monitorFormText } from "./monitor-form-text.ts";
import { MonitoredScenes } from "./monitored-scenes.tsx";
import { readMonitor, type DetailedMonitor } from "./monitor.ts";
import { monitorsText } from "./monitors-text.ts";
import { PastScenesDialog } from "./past-scenes-dialog.tsx";
import { areaAround, areaShapes, watchedAreas } from "./watched-areas.ts";

/** Scenes change while they are measured. */
const LOOK_AGAIN_MS = 5_000;

/** One monitor: its settings, its spending, and its scenes. */
export function MonitorView({ monitorId }: { readonly monitorId: string }) {
  const { calls, alerts, map } = useConsole();
  const loaded = useLoaded((signal) => readMonitor(calls, monitorId, signal), [alerts.list.value]);
  const { value: monitor } = loaded;
  const [isChanging, setChanging] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  useEffect(() => {
    if (isDeleting) return undefined;
    const timer = setTimeout(loaded.reload, LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [loaded.isLoading, isDeleting]);
  const areas = monitor === null ? null : JSON.stringify(monitor.areas);
  useEffect(() => {
    if (monitor === null) return undefined;
    const watched = watchedAreas(monitor.areas);
    map.showShapes("monitor", { shapes: areaShapes(watched) });
    const around = areaAround(watched);
    if (around !== null) map.fit(boxOfGeometry(around));
    return () => map.showShapes("monitor", null);
  }, [areas]);
  if (monitor === null) {
    if (loaded.error !== null) return <Failure error={loaded.error} onRetry={loaded.reload} />;
    return <Skeletons label={monitorsText.title} />;
  }
  const end = (): void => {
    setChanging(false);
    loaded.reload();
  };
  if (isChanging) return <MonitorForm monitor={monitor} onEnd={end} />;
  return (
    <div class="side-body">
      <ScreenLink screen="monitors" parts={[]}>
        {monitorsText.back}
      </ScreenLink>
      {loaded.error !== null && (
        <p class="note warn" role="status">
          {messageOf(loaded.error)}
        </p>
      )}
      <div class="row">
        <h3 class="spring">{monitor.name}</h3>
        <MonitorState monitor={monitor} />
      </div>
      <MonitorBudget monitor={monitor} />
      <Actions monitor={monitor} onChange={() => setChanging(true)} onChanged={loaded.reload} onDelete={setDeleting} />
      <MonitorFacts monitor={monitor} />
      <h3>{monitorsText.scenes}</h3>
      <MonitoredScenes monitor={monitor} />
    </div>
  );
}

function Actions(props: {
  readonly monitor: DetailedMonitor;
  readonly onChange: () => void;
  readonly onChanged: () => void;
  /** A monitor that is being deleted is not read again. */
  readonly onDelete: (isDeleting: boolean) => void;
}) {
  const { monitor, onChange, onChanged, onDelete } = props;
  const { calls, attempt, open, rights } = useConsole();
  const [dialog, setDialog] = useState<"delete" | "past" | null>(null);
  const { id: monitorId, enabled, name } = monitor;
  const pause = async (): Promise<void> => {
    await calls.call("/monitor/pause", { monitorId, paused: enabled });
    onChanged();
  };
  const remove = async (): Promise<void> => {
    onDelete(true);
    try {
      await calls.call("/monitor/delete", { monitorId });
      open("monitors");
    } catch (error) {
      onDelete(false);
      throw error;
    }
  };
  const close = (): void => {
    setDialog(null);
    onChanged();
  };
  return (
    <div class="row wrap">
      <button type="button" class="button small" onClick={() => attempt(pause)}>
        {enabled ? monitorsText.pause : monitorsText.resume}
      </button>
      <button type="button" class="button small" onClick={onChange}>
        {monitorsText.change}
      </button>
      {mayWatch(rights.value) && rights.value.holds("imagery.availability") && (
        <button type="button" class="button small" onClick={() => setDialog("past")}>
          {monitorFormText.past.button}
        </button>
      )}
      <button type="button" class="button small" onClick={() => setDialog("delete")}>
        {monitorsText.remove}
      </button>
      {dialog === "past" && <PastScenesDialog monitorId={monitorId} onClose={close} />}
      {dialog === "delete" && (
        <ConfirmDialog
          title={monitorsText.removeTitle(name)}
          confirm={monitorsText.remove}
          cancel={monitorsText.cancel}
          onConfirm={() => attempt(remove)}
          onClose={() => setDialog(null)}
        >
          {monitorsText.removeAbout}
        </ConfirmDialog>
      )}
    </div>
  );
}

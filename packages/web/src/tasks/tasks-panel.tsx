import { text } from "../text/en.ts";
import { Icon } from "../ui/icon.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import type { Task } from "./tasks.ts";

/** Steps of a pipeline. */
const STEPS = 6;

/** Running and ended pipelines, from the service: they survive a reload of the page. */
export function TasksPanel({ onClose }: { readonly onClose: () => void }) {
  const { tasks } = useConsole();
  return (
    <section class="float panel" aria-label={text.tasks.title}>
      <header>
        <h2>{text.tasks.title}</h2>
        <IconButton icon="close" label={text.tasks.close} onClick={onClose} />
      </header>
      {tasks.isOffline.value && (
        <p class="panel-body warn-text" role="alert">
          {text.errors.offline}
        </p>
      )}
      {tasks.list.value.length === 0 && <p class="panel-body hint">{text.tasks.none}</p>}
      <ul>
        {tasks.list.value.map((task) => (
          <TaskRow key={task.pipelineId} task={task} />
        ))}
      </ul>
    </section>
  );
}

function TaskRow({ task }: { readonly task: Task }) {
  const { tasks, calls, layers, map, attempt } = useConsole();
  const { pipelineId, operation, status, progress } = task;
  const isRunning = status === "NEW" || status === "PROCESSING";
  const open = async (): Promise<void> => {
    const { maps } = await calls.retrieve("/mapsvc/release", pipelineId);
    await layers.add(maps);
    const [first] = layers.tiles.value;
    if (first !== undefined) map.fitTiles(first.tiles);
  };
  return (
    <li class="task">
      <div class="row">
        <Icon name={status === "FAILED" ? "warning" : isRunning ? "tasks" : "check"} />
        <strong class="spring">{text.tasks.names[operation] ?? operation}</strong>
        <span class="hint">{text.tasks.status[status]}</span>
        {isRunning && (
          <button type="button" class="button small" onClick={() => attempt(() => tasks.cancel(pipelineId))}>
            {text.tasks.cancel}
          </button>
        )}
        {status === "RESOLVED" && operation === "/mapsvc/release" && (
          <button type="button" class="button small" onClick={() => attempt(open)}>
            {text.tasks.open}
          </button>
        )}
      </div>
      {isRunning && (
        <>
          <progress
            max={STEPS}
            value={progress?.step ?? 0}
            aria-label={progress?.message ?? text.tasks.status[status]}
          />
          <p class="hint">{progress?.message ?? ""}</p>
        </>
      )}
    </li>
  );
}

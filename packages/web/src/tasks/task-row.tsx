import { useEffect, useState } from "preact/hooks";
import { formatBytes } from "../format/bytes.ts";
import { text } from "../text/en.ts";
import { Icon } from "../ui/icon.tsx";
import { useConsole } from "../use-console.ts";
import { makesFile, readTaskFile, type TaskFile } from "./task-files.ts";
import type { Task } from "./tasks.ts";
import { tasksText } from "./tasks-text.ts";
import { useOpenTask } from "./use-open-task.ts";

/** Steps of a pipeline. */
const STEPS = 6;

/** A pipeline: its progress, the way to its result, or the reason of its failure and the way out. */
export function TaskRow({ task }: { readonly task: Task }) {
  const { tasks, attempt } = useConsole();
  const { pipelineId, operation, status, progress, error, attempt: number = 1 } = task;
  const isRunning = status === "NEW" || status === "PROCESSING";
  const open = useOpenTask(task);
  const file = useTaskFile(task);
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
        {status === "RESOLVED" && open !== null && (
          <button type="button" class="button small" onClick={() => attempt(open)}>
            {text.tasks.open}
          </button>
        )}
        {file !== null && (
          <a class="button small" href={file.url} download={file.name}>
            {tasksText.download}
          </a>
        )}
      </div>
      {file !== null && (
        <p class="hint">
          {file.sizeBytes === null ? file.name : tasksText.ready(file.name, formatBytes(file.sizeBytes))}
        </p>
      )}
      {error !== undefined && (
        <p class="hint">
          {error.message} {tasksText.wayOut[error.code] ?? ""}
        </p>
      )}
      {isRunning && (
        <>
          <progress max={STEPS} value={progress.step} aria-label={progress.message} />
          <p class="hint">{progress.message}</p>
          {number > 1 && <p class="warn-text">{tasksText.retrying(number)}</p>}
        </>
      )}
    </li>
  );
}

/** The file of a task that is done; null for others, and where it is no longer kept. */
function useTaskFile(task: Task): TaskFile | null {
  const { calls } = useConsole();
  const [file, setFile] = useState<TaskFile | null>(null);
  const isReady = task.status === "RESOLVED" && makesFile(task);
  useEffect(() => {
    if (!isReady) return;
    readTaskFile(calls, task).then(setFile, () => setFile(null));
  }, [isReady, task.pipelineId]);
  return file;
}

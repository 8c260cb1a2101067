import { useConsole } from "../use-console.ts";
import { TaskRow } from "../tasks/task-row.tsx";
import { exportText } from "./export-text.ts";

/** Exports that were started here, as the list of tasks shows them. */
export function ExportList({ pipelineIds }: { readonly pipelineIds: readonly string[] }) {
  const { tasks } = useConsole();
  const shown = tasks.list.value.filter(({ pipelineId }) => pipelineIds.includes(pipelineId));
  return (
    <div>
      <h3>{exportText.running}</h3>
      <p class="hint" role="status">
        {exportText.started}
      </p>
      <ul>
        {shown.map((task) => (
          <TaskRow key={task.pipelineId} task={task} />
        ))}
      </ul>
    </div>
  );
}

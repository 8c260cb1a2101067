import { text } from "../text/en.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { TaskRow } from "./task-row.tsx";

/** Running and ended pipelines, from the service: they survive a reload of the page. */
export function TasksPanel({ onClose }: { readonly onClose: () => void }) {
  const { tasks } = useConsole();
  return (
    <section class="float panel" aria-label={text.tasks.title}>
      <header>
        <h2>{text.tasks.title}</h2>
        <IconButton icon="close" label={text.tasks.close} onClick={onClose} />
      </header>
      {tasks.list.value.length === 0 && <p class="panel-body hint">{text.tasks.none}</p>}
      <ul>
        {tasks.list.value.map((task) => (
          <TaskRow key={task.pipelineId} task={task} />
        ))}
      </ul>
    </section>
  );
}

import { render } from "preact";
import { App } from "./app.tsx";
import { createConsole } from "./create-console.ts";
import { nextTask } from "./ui/next-task.ts";
import { ConsoleContext } from "./use-console.ts";

/** Scripts, the map and the page are a task each, of 100 ms and more on a slow computer. */
async function start(page: HTMLElement): Promise<void> {
  await nextTask();
  const console = createConsole();
  await nextTask();
  render(
    <ConsoleContext.Provider value={console}>
      <App />
    </ConsoleContext.Provider>,
    page,
  );
}

const page = document.getElementById("app");
if (page === null) throw new Error("expected an element with the ID app");
void start(page);

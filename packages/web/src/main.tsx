import { render } from "preact";
import { App } from "./app.tsx";
import { createConsole } from "./create-console.ts";
import { ConsoleContext } from "./use-console.ts";

const page = document.getElementById("app");
if (page === null) throw new Error("expected an element with the ID app");
render(
  <ConsoleContext.Provider value={createConsole()}>
    <App />
  </ConsoleContext.Provider>,
  page,
);

import { useEffect } from "preact/hooks";
import { useConsole } from "../use-console.ts";
import { pageCommands, type Windows } from "./page-commands.ts";

/** Keys of the page: `Ctrl K` opens the list of commands; single keys rest while somebody writes or a dialog is open. */
export function useCommands(windows: Windows, openPalette: () => void): void {
  const app = useConsole();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target, key } = event;
      if (document.querySelector("dialog[open]") !== null) return;
      const isControlled = event.ctrlKey || event.metaKey;
      if (isControlled && key.toLowerCase() === "k") {
        event.preventDefault();
        return openPalette();
      }
      if (key === "Escape") app.drawing.end();
      if (isControlled || event.altKey || !app.keys.areOn.value || isTaken(target, key)) return;
      const command = pageCommands(app, windows).find((one) => one.key === key);
      if (command === undefined) return;
      event.preventDefault();
      command.run();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
}

/** Fields take all keys; the map takes arrows, plus and minus; lists and tables take arrows. */
function isTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("input:not([type=checkbox]), select, textarea") !== null) return true;
  // The space bar presses what has the focus.
  if (key === " ") return target.closest("button, input, summary, a, [role=grid], [role=listbox]") !== null;
  const isArrow = key.startsWith("Arrow");
  if (target.closest("#map") !== null) return isArrow || key === "+" || key === "-";
  return isArrow && target.closest("[role=grid], [role=listbox], [role=slider], [role=tree], input") !== null;
}

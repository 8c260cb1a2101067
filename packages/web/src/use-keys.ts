import { useEffect } from "preact/hooks";
import { useConsole } from "./use-console.ts";

/** Single keys of the page; they rest while somebody writes or a dialog is open. */
export function useKeys(onHelp: () => void): void {
  const { inspector, search, state, update } = useConsole();
  useEffect(() => {
    const step = (by: number): void => {
      const scenes = search.shown.value.toReversed();
      const position = scenes.findIndex(({ sceneId }) => sceneId === state.value.selectedSceneId);
      const next = scenes[Math.min(scenes.length - 1, Math.max(0, position + by))];
      if (next !== undefined) update({ selectedSceneId: next.sceneId });
    };
    const actions: Readonly<Record<string, () => void>> = {
      "/": () => document.getElementById("area")?.focus(),
      "?": onHelp,
      i: () => {
        inspector.isOn.value = !inspector.isOn.value;
      },
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
    };
    const onKey = (event: KeyboardEvent): void => {
      const { target, key } = event;
      const isWriting = target instanceof HTMLElement && target.closest("input, select, textarea, #map") !== null;
      if (isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const action = Object.hasOwn(actions, key) ? actions[key] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
}

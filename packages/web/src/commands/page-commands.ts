import { compareCommands } from "../compare/compare-commands.ts";
import type { Console } from "../console.ts";
import { boxOfGeometry } from "../find/area-rings.ts";
import { prefersStill } from "../find/use-playing.ts";
import { pinsText } from "../pins/pins-text.ts";
import { togglePin } from "../pins/toggle-pin.ts";
import { SCREENS } from "../screens/screens.ts";
import { text } from "../text/en.ts";
import type { Command } from "./command.ts";

/** Windows that the page opens and closes. */
export interface Windows {
  readonly toggleTasks: () => void;
  readonly openHelp: () => void;
}

/** Every command of the page for its user, those with keys first. */
export function pageCommands(app: Console, windows: Windows): readonly Command[] {
  const { commands } = text;
  const { drawing, inspector, state, update, map, area, open, rights, layers } = app;
  const [top] = layers.list.value;
  const changeOpacity = (by: number) => () => {
    if (top !== undefined) layers.change(top.mapId, { opacity: roundedShare(top.opacity + by) });
  };
  return [
    { name: commands.area, key: "/", run: () => document.getElementById("area")?.focus() },
    { name: commands.box, key: "b", run: () => drawing.draw("box") },
    { name: commands.polygon, key: "p", run: () => drawing.draw("polygon") },
    {
      name: commands.inspect,
      key: "i",
      run: () => {
        inspector.isOn.value = !inspector.isOn.value;
      },
    },
    ...compareCommands(app),
    { name: commands.previous, key: "ArrowLeft", run: () => stepDate(app, -1) },
    { name: commands.next, key: "ArrowRight", run: () => stepDate(app, 1) },
    ...(state.value.selectedSceneId === null ? [] : [{ name: pinsText.pin, run: () => togglePin(app) }]),
    ...playCommand(app),
    { name: commands.lessOpaque, key: "[", run: changeOpacity(-0.1) },
    { name: commands.moreOpaque, key: "]", run: changeOpacity(0.1) },
    { name: commands.zoomIn, key: "+", run: () => map.zoomBy(1) },
    { name: commands.zoomOut, key: "-", run: () => map.zoomBy(-1) },
    {
      name: commands.wholeArea,
      key: "0",
      run: () => {
        if (area.value !== null) map.fit(boxOfGeometry(area.value));
      },
    },
    { name: commands.tasks, run: windows.toggleTasks },
    {
      name: state.value.theme === "dark" ? text.top.light : text.top.dark,
      run: () => update({ theme: state.value.theme === "dark" ? "light" : "dark" }),
    },
    { name: text.top.find, run: () => open("") },
    ...SCREENS.filter(({ isListed }) => isListed(rights.value)).map(({ name, title }) => ({
      name: title,
      run: () => open(name),
    })),
    { name: text.top.signOut, run: () => app.attempt(() => app.session.signOut()) },
    { name: commands.help, key: "?", run: windows.openHelp },
  ];
}

/** The space bar of a comparison is another one. */
function playCommand({ search, isPlaying, compared }: Console): readonly Command[] {
  if (search.shown.value.length < 2 || compared.value !== null || prefersStill()) return [];
  const run = (): void => {
    isPlaying.value = !isPlaying.value;
  };
  return [{ name: text.commands.play, key: " ", run }];
}

function stepDate({ search, state, update }: Console, by: number): void {
  const scenes = search.shown.value.toReversed();
  const position = scenes.findIndex(({ sceneId }) => sceneId === state.value.selectedSceneId);
  const next = scenes[Math.min(scenes.length - 1, Math.max(0, position + by))];
  if (next !== undefined) update({ selectedSceneId: next.sceneId });
}

/** Tenths between 0 and 1. */
function roundedShare(value: number): number {
  return Math.min(1, Math.max(0, Math.round(value * 10) / 10));
}

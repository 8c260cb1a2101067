import { formatDay, timeMs } from "../format/dates.ts";
import { text } from "../text/en.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { cloudStep } from "./scene-row.tsx";

const WIDTH = 1_000;
const HEIGHT = 56;
/** At least this many days, so that one scene is no bar of the whole width. */
const LEAST_MS = 7 * 86_400_000;

/** Bars of the shown scenes along time; one selection with list and map. */
export function Timeline() {
  const { search, state, update, hovered } = useConsole();
  const scenes = search.shown.value.toReversed();
  const selected = scenes.findIndex(({ sceneId }) => sceneId === state.value.selectedSceneId);
  if (scenes.length === 0) return null;
  const times = scenes.map(({ datetime }) => timeMs(datetime));
  const first = Math.min(...times);
  const span = Math.max(LEAST_MS, Math.max(...times) - first);
  const largest = Math.max(...scenes.map(({ areaKm2 }) => areaKm2));
  const select = (position: number): void => {
    update({ selectedSceneId: scenes[Math.min(scenes.length - 1, Math.max(0, position))]?.sceneId ?? null });
  };
  const chosen = scenes[selected];
  return (
    <section class="timeline" aria-label={text.timeline.title}>
      <header>
        <IconButton icon="left" label={text.timeline.previous} onClick={() => select(selected - 1)} />
        <strong>{chosen === undefined ? text.find.scenes(scenes.length, false) : formatDay(chosen.datetime)}</strong>
        <IconButton icon="right" label={text.timeline.next} onClick={() => select(selected + 1)} />
        <span class="spring" />
        <span class="hint wide-only">{text.timeline.legend}</span>
      </header>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {scenes.map((scene, position) => {
          const height = 8 + (HEIGHT - 8) * Math.sqrt(scene.areaKm2 / largest);
          const mark = position === selected ? "selected" : scene.sceneId === hovered.value ? "hovered" : "";
          const x = 4 + ((WIDTH - 12) * ((times[position] ?? first) - first)) / span;
          return (
            <rect
              key={scene.sceneId}
              class={`bar cloud-${cloudStep(scene.cloudCover)} ${mark}`}
              x={x}
              y={HEIGHT - height}
              width="4"
              height={height}
              onClick={() => select(position)}
            />
          );
        })}
      </svg>
    </section>
  );
}

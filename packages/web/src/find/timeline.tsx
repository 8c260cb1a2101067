import type { TargetedMouseEvent } from "preact";
import { useMemo } from "preact/hooks";
import { formatDay, timeMs } from "../format/dates.ts";
import { ScreenLink } from "../screens/screen-link.tsx";
import { pinsText } from "../pins/pins-text.ts";
import { PinnedDates } from "../pins/pinned-dates.tsx";
import { seriesText } from "../series/series-text.ts";
import { text } from "../text/en.ts";
import { Icon } from "../ui/icon.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { cloudStep } from "./scene-row.tsx";
import type { Scene } from "./search.ts";
import { usePlaying } from "./use-playing.ts";

const WIDTH = 1_000;
const HEIGHT = 56;
const BAR_WIDTH = 4;
/** At least this many days, so that one scene is no bar of the whole width. */
const LEAST_MS = 7 * 86_400_000;

/** Bars of the shown scenes along time; one selection with list and map. */
export function Timeline() {
  const { search, state, update, hovered, rights } = useConsole();
  const { pins } = state.value;
  const scenes = search.shown.value.toReversed();
  const selected = scenes.findIndex(({ sceneId }) => sceneId === state.value.selectedSceneId);
  const select = (position: number): void => {
    update({ selectedSceneId: scenes[Math.min(scenes.length - 1, Math.max(0, position))]?.sceneId ?? null });
  };
  const hasHidden = search.found.value.length > scenes.length;
  const chosen = scenes[selected];
  const playing = usePlaying(scenes, selected, select);
  if (scenes.length === 0 && pins.length === 0) return null;
  return (
    <section class="timeline" aria-label={text.timeline.title}>
      <header>
        {scenes.length > 0 && (
          <IconButton icon="left" label={text.timeline.previous} onClick={() => select(selected - 1)} />
        )}
        <strong>{titleOf(chosen, scenes.length)}</strong>
        {scenes.length > 0 && (
          <IconButton icon="right" label={text.timeline.next} onClick={() => select(selected + 1)} />
        )}
        {playing.toggle !== null && (
          <IconButton
            icon={playing.isOn ? "pause" : "play"}
            label={playing.isOn ? text.timeline.pause : text.timeline.play}
            onClick={playing.toggle}
          />
        )}
        {selected < scenes.length - 1 && (
          <button type="button" class="button small" onClick={() => select(scenes.length - 1)}>
            {text.timeline.latest}
          </button>
        )}
        <PinnedDates />
        <span class="spring" />
        <span class="hint wide-only">{hasHidden ? text.timeline.legendHidden : text.timeline.legend}</span>
        {rights.value.holds(seriesText.permission) && (
          <ScreenLink screen="series" class="icon-button" label={seriesText.open}>
            <Icon name="chart" />
          </ScreenLink>
        )}
      </header>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <Bars scenes={search.found.value} shown={search.shown.value} />
        {pins.map(({ sceneId }) => (
          <Mark key={sceneId} kind="pinned" scenes={search.found.value} sceneId={sceneId} />
        ))}
        <Mark kind="hovered" scenes={search.found.value} sceneId={hovered.value} />
        <Mark kind="selected" scenes={search.found.value} sceneId={state.value.selectedSceneId} />
      </svg>
    </section>
  );
}

/** The chosen date, else how many there are; pins of a link are there before any search. */
function titleOf(chosen: Scene | undefined, scenes: number): string {
  if (chosen !== undefined) return formatDay(chosen.datetime);
  return scenes === 0 ? pinsText.title : text.find.scenes(scenes, false);
}

interface Bar {
  readonly sceneId: string;
  readonly cloudStep: number;
  readonly x: number;
  readonly height: number;
}

function barsOf(scenes: readonly Scene[]): readonly Bar[] {
  const times = scenes.map(({ datetime }) => timeMs(datetime));
  const first = Math.min(...times);
  const span = Math.max(LEAST_MS, Math.max(...times) - first);
  return scenes.map(({ sceneId, cloudCover, extentShare = 1 }, position) => ({
    sceneId,
    cloudStep: cloudStep(cloudCover),
    x: 4 + ((WIDTH - 12) * ((times[position] ?? first) - first)) / span,
    height: 8 + (HEIGHT - 14) * extentShare,
  }));
}

/** Pixels beside a bar that count as a click on it. */
const CLICK_REACH_PX = 4;

/**
 * One shape for all bars of a colour: a filter over 2,000 scenes would change 2,000 elements. The marks lie above. Scenes
 * that a filter hides are outlines.
 */
function Bars({ scenes, shown }: { readonly scenes: readonly Scene[]; readonly shown: readonly Scene[] }) {
  const { update } = useConsole();
  const bars = useMemo(() => barsOf(scenes), [scenes]);
  const shownIds = useMemo(() => new Set(shown.map(({ sceneId }) => sceneId)), [shown]);
  const select = ({ clientX, currentTarget }: TargetedMouseEvent<SVGGElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = ((clientX - left) * WIDTH) / width - BAR_WIDTH / 2;
    const distance = ({ x }: Bar): number => Math.abs(x - at);
    const [nearest] = bars.filter(({ sceneId }) => shownIds.has(sceneId)).toSorted((a, b) => distance(a) - distance(b));
    if (nearest !== undefined && distance(nearest) <= BAR_WIDTH / 2 + (CLICK_REACH_PX * WIDTH) / width) {
      update({ selectedSceneId: nearest.sceneId });
    }
  };
  return useMemo(
    () => (
      <g onClick={select}>
        <rect class="field" width={WIDTH} height={HEIGHT} />
        {[...groupsOf(bars, shownIds)].map(([name, group]) => (
          <path key={name} class={`bar ${name}`} d={group.map(outlineOf).join("")} data-bars={group.length} />
        ))}
      </g>
    ),
    [bars, shownIds],
  );
}

/** Bars by the class of their colour, the outlines first: the others lie above them. */
function groupsOf(bars: readonly Bar[], shownIds: ReadonlySet<string>): ReadonlyMap<string, readonly Bar[]> {
  const groups = new Map<string, Bar[]>([["filtered", []]]);
  for (const bar of bars) {
    const name = shownIds.has(bar.sceneId) ? `cloud-${bar.cloudStep}` : "filtered";
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [bar]);
    else group.push(bar);
  }
  return groups;
}

function outlineOf({ x, height }: Bar): string {
  return `M${x.toFixed(1)} ${HEIGHT}V${(HEIGHT - height).toFixed(1)}h${BAR_WIDTH}V${HEIGHT}z`;
}

function Mark(props: {
  readonly kind: "hovered" | "pinned" | "selected";
  readonly scenes: readonly Scene[];
  readonly sceneId: string | null;
}) {
  const { kind, scenes, sceneId } = props;
  const bars = useMemo(() => new Map(barsOf(scenes).map((bar) => [bar.sceneId, bar])), [scenes]);
  const bar = sceneId === null ? undefined : bars.get(sceneId);
  if (bar === undefined) return null;
  if (kind === "pinned") return <rect class={kind} x={bar.x - 2} y={HEIGHT - bar.height - 6} width="8" height="4" />;
  return <rect class={kind} x={bar.x} y={HEIGHT - bar.height} width={BAR_WIDTH} height={bar.height} />;
}

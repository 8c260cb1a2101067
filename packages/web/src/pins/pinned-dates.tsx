import { formatDay } from "../format/dates.ts";
import { MAX_PINS } from "../parse-state.ts";
import { Icon } from "../ui/icon.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { pinnedPair, withoutPin } from "./pin.ts";
import { pinsText } from "./pins-text.ts";
import { togglePin } from "./toggle-pin.ts";

function labelOf(datetime: string, isPinned: boolean, count: number): string {
  if (isPinned) return pinsText.unpin(formatDay(datetime));
  return count < MAX_PINS ? pinsText.pin : pinsText.full(MAX_PINS);
}

/** Pins the selected date, and lists the pinned ones: a press shows a date, two of them are compared. */
export function PinnedDates() {
  const app = useConsole();
  const { state, update, search, layers, ticked, open } = app;
  const { pins, selectedSceneId } = state.value;
  const isPinned = pins.some(({ sceneId }) => sceneId === selectedSceneId);
  const selected = search.found.value.find(({ sceneId }) => sceneId === selectedSceneId);
  const pair = pinnedPair(
    layers.list.value.map(({ facts, ...layer }) => ({
      ...layer,
      sceneId: facts === null || facts === "failed" ? null : facts.sceneId,
    })),
    pins,
  );
  const found = pins.filter((pin) => search.found.value.some(({ sceneId }) => sceneId === pin.sceneId));
  return (
    <>
      {selected !== undefined && (
        <IconButton
          icon="pin"
          label={labelOf(selected.datetime, isPinned, pins.length)}
          isPressed={isPinned}
          onClick={() => togglePin(app)}
        />
      )}
      {pins.length > 0 && (
        <ul class="pins" aria-label={pinsText.title}>
          {pins.map(({ sceneId, day }) => (
            <li key={sceneId} class={sceneId === selectedSceneId ? "pin on" : "pin"}>
              <button
                type="button"
                aria-label={pinsText.show(formatDay(day))}
                aria-pressed={sceneId === selectedSceneId}
                onClick={() => update({ selectedSceneId: sceneId })}
              >
                {formatDay(day)}
              </button>
              <button
                type="button"
                class="unpin"
                aria-label={pinsText.unpin(formatDay(day))}
                onClick={() => update({ pins: withoutPin(pins, sceneId) })}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {pair !== null && (
        <button type="button" class="button small" onClick={() => open("compare", pair.a, pair.b)}>
          {pinsText.compare}
        </button>
      )}
      {pair === null && found.length > 1 && (
        <button
          type="button"
          class="button small"
          onClick={() => {
            ticked.value = new Set(found.map(({ sceneId }) => sceneId));
          }}
        >
          {pinsText.make}
        </button>
      )}
    </>
  );
}

import { useComputed } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { text } from "../text/en.ts";
import { useRowWindow, type SeenPart } from "../ui/use-row-window.ts";
import { useConsole } from "../use-console.ts";
import { SceneRow } from "./scene-row.tsx";

/** The height of a row by its style. */
const ROW_PX = 75;

/**
 * The shown scenes, of which only those near the seen ones are drawn: a filter that lets 850 rows come back would draw for
 * 4 s on a slow computer.
 */
export function SceneRows({ isDimmed }: { readonly isDimmed: boolean }) {
  const { search, state, attempt } = useConsole();
  const { shown, hasMore } = search;
  const scenes = shown.value;
  const list = useRef<HTMLUListElement>(null);
  const selected = useRef<HTMLLIElement>(null);
  const { first, end, redraw } = useRowWindow(list, seenPart, scenes.length);
  const selectedId = useComputed(() => state.value.selectedSceneId).value;
  const selectedAt = scenes.findIndex(({ sceneId }) => sceneId === selectedId);
  useLayoutEffect(() => {
    selected.current?.scrollIntoView({ block: "nearest" });
    redraw();
  }, [selectedId, selectedAt === -1]);
  return (
    <ul ref={list} class={`scenes ${isDimmed ? "dimmed" : ""}`} aria-label={text.find.list}>
      <Gap rows={first} />
      {scenes.slice(first, end).map((scene, offset) => (
        <SceneRow key={scene.sceneId} scene={scene} position={first + offset} count={scenes.length} />
      ))}
      <Gap rows={scenes.length - end} />
      {selectedAt !== -1 && <li ref={selected} aria-hidden="true" class="place" style={placeOf(selectedAt)} />}
      {hasMore.value && (
        <li class="more">
          <button type="button" class="button" onClick={() => attempt(() => search.more())}>
            {text.find.more}
          </button>
        </li>
      )}
    </ul>
  );
}

/** The height of rows that are not drawn. */
function Gap({ rows }: { readonly rows: number }) {
  return rows === 0 ? null : <li aria-hidden="true" style={{ height: `${rows * ROW_PX}px` }} />;
}

/** Where a row is or would be drawn: it may be scrolled to before it is. */
function placeOf(position: number) {
  return { top: `${position * ROW_PX}px`, height: `${ROW_PX}px` };
}

/** The list scrolls, or on narrow pages the panel around it. */
function seenPart(list: HTMLElement): SeenPart {
  const { top, bottom } = list.getBoundingClientRect();
  const heightPx = Math.min(bottom, window.innerHeight) - Math.max(top, 0);
  return { topPx: list.scrollTop + Math.max(0, -top), heightPx, rowPx: ROW_PX };
}

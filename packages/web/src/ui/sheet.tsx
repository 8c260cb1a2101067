import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { text } from "../text/en.ts";
import { nearestStop, STOPS, type Stop } from "./sheet-stops.ts";

/** A panel beside the map; on a phone a sheet below it with three stops, moved by its handle. */
export function Sheet(props: { readonly start: Stop; readonly children: ComponentChildren }) {
  const { start: first, children } = props;
  const [stop, setStop] = useState<Stop>(first);
  useEffect(() => setStop(first), [first]);
  const sheet = useRef<HTMLDivElement>(null);
  const start = useRef<{ readonly y: number; readonly heightPx: number } | null>(null);
  const heightAt = (event: PointerEvent): number => {
    const { y, heightPx } = start.current ?? { y: event.clientY, heightPx: 0 };
    return heightPx + y - event.clientY;
  };
  const wholePx = (): number => sheet.current?.parentElement?.clientHeight ?? 1;
  const isDrag = (event: PointerEvent): boolean => Math.abs(event.clientY - (start.current?.y ?? event.clientY)) > 5;
  return (
    <div ref={sheet} class={`sheet ${stop}`}>
      <button
        type="button"
        class="sheet-handle"
        aria-label={text.sheet.handle(text.sheet.stops[stop])}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          start.current = { y: event.clientY, heightPx: sheet.current?.clientHeight ?? 0 };
        }}
        onPointerMove={(event) => {
          if (start.current !== null && isDrag(event))
            sheet.current?.style.setProperty("height", `${heightAt(event)}px`);
        }}
        onPointerUp={(event) => {
          if (isDrag(event)) setStop(nearestStop(heightAt(event) / wholePx()));
          else setStop(STOPS[(STOPS.indexOf(stop) + 1) % STOPS.length] ?? stop);
          sheet.current?.style.removeProperty("height");
          start.current = null;
        }}
        onKeyDown={(event) => {
          const by = { ArrowUp: 1, ArrowDown: -1, Enter: 1, " ": 1 }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          const isCycle = event.key === "Enter" || event.key === " ";
          const next = STOPS.indexOf(stop) + by;
          setStop(STOPS[isCycle ? next % STOPS.length : Math.min(2, Math.max(0, next))] ?? stop);
        }}
      >
        <span aria-hidden="true" />
      </button>
      {children}
    </div>
  );
}

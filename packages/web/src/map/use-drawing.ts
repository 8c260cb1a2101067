import { useEffect, useRef, useState } from "preact/hooks";
import { useConsole } from "../use-console.ts";
import type { DrawKind } from "./drawing.ts";
import { drawnArea } from "./drawn-area.ts";

/** One drawing at a time; Escape and the button of it end it. */
export function useDrawing(): { readonly drawing: DrawKind | null; readonly draw: (kind: DrawKind) => void } {
  const { map, setArea, search, attempt } = useConsole();
  const [drawing, setDrawing] = useState<DrawKind | null>(null);
  const stop = useRef<(() => void) | null>(null);
  const end = (): void => {
    stop.current?.();
    stop.current = null;
    setDrawing(null);
  };
  const draw = (kind: DrawKind): void => {
    const isSame = drawing === kind;
    end();
    if (isSame) return;
    setDrawing(kind);
    stop.current = map.draw(kind, (ring) => {
      end();
      attempt(async () => {
        const area = drawnArea(kind, ring);
        await setArea(area);
        await search.run(area);
      });
    });
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.target instanceof HTMLInputElement || document.querySelector("dialog[open]") !== null) return;
      if (event.key === "Escape") end();
      if (event.key === "b") draw("box");
      if (event.key === "p") draw("polygon");
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
  return { drawing, draw };
}

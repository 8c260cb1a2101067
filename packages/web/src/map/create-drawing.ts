import { signal, type ReadonlySignal } from "@preact/signals";
import type { AreaGeometry } from "../find/area-rings.ts";
import { drawnArea } from "./drawn-area.ts";
import type { DrawKind } from "./drawing.ts";
import type { MapEngine } from "./engine.ts";

export interface Drawing {
  /** The shape that is being drawn. */
  readonly kind: ReadonlySignal<DrawKind | null>;
  /** Starts a drawing; the same kind again ends it. */
  draw(kind: DrawKind): void;
  end(): void;
}

/** One drawing at a time; a finished one goes to `onDrawn`. */
export function createDrawing(map: MapEngine, onDrawn: (area: AreaGeometry) => void): Drawing {
  const kind = signal<DrawKind | null>(null);
  let stop: (() => void) | null = null;
  const end = (): void => {
    stop?.();
    stop = null;
    kind.value = null;
  };
  return {
    kind,
    draw(next) {
      const isSame = kind.value === next;
      end();
      if (isSame) return;
      kind.value = next;
      stop = map.draw(next, (ring) => {
        end();
        onDrawn(drawnArea(next, ring));
      });
    },
    end,
  };
}

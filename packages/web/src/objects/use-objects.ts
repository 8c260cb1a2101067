import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../failures/message-of.ts";
import { loadObjects } from "./load-objects.ts";
import type { MapObject } from "./map-object.ts";

export type ObjectsStatus =
  | { readonly kind: "reading"; readonly count: number }
  | { readonly kind: "done"; readonly objects: readonly MapObject[] }
  | { readonly kind: "none" }
  | { readonly kind: "failed"; readonly problem: string };

/** The objects of a map, read again by `retry`. */
export function useObjects(mapId: string): { readonly status: ObjectsStatus; readonly retry: () => void } {
  const [status, setStatus] = useState<ObjectsStatus>({ kind: "reading", count: 0 });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setStatus({ kind: "reading", count: 0 });
    loadObjects(mapId, stop.signal, (count) => setStatus({ kind: "reading", count })).then(
      (objects) => {
        if (!stop.signal.aborted) setStatus(objects === null ? { kind: "none" } : { kind: "done", objects });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setStatus({ kind: "failed", problem: messageOf(error) });
      },
    );
    return () => stop.abort();
  }, [mapId, round]);
  return { status, retry: () => setRound(round + 1) };
}

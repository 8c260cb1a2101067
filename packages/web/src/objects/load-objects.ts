import { createFeatureSplitter } from "./feature-splitter.ts";
import { readMapObject, type MapObject } from "./map-object.ts";

/** The file of objects of a map. */
const OBJECTS_FILE = "detections.geojson";
/** Work between two looks at other events: a frame has 16 ms. */
const SLICE_MS = 10;
/** Time between two counts of the read objects: each draws the page again. */
const TELL_MS = 100;
/** Set when the last object is read, for measurements. */
const READ_MARK = "objects-read";

/** Address of the objects that meet a filter, as anybody may fetch them. */
export function objectsUrl(mapId: string, filter = ""): string {
  const query = filter === "" ? "" : `?${new URLSearchParams({ detection_filters: filter }).toString()}`;
  return `/mapsvc/grid/${mapId}/-/${OBJECTS_FILE}${query}`;
}

/**
 * Loads the objects of a map, in slices while they arrive: parsed at once, 50,000 would stop the page for half a second.
 * Null for a map without objects.
 *
 * @param tell receives the count of objects so far
 */
export async function loadObjects(
  mapId: string,
  signal: AbortSignal,
  tell: (count: number) => void,
): Promise<readonly MapObject[] | null> {
  return await readObjects(await fetch(objectsUrl(mapId), { signal }), signal, tell);
}

/** Reads the objects of an answer with `detections.geojson`; null where there is no such file. */
export async function readObjects(
  answer: Response,
  signal: AbortSignal,
  tell: (count: number) => void,
): Promise<readonly MapObject[] | null> {
  if (answer.status === 404) return null;
  if (answer.status !== 200 || answer.body === null) throw new Error(await problemOf(answer));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  const splitter = createFeatureSplitter();
  const objects: MapObject[] = [];
  let sliceEndMs = performance.now() + SLICE_MS;
  let toldMs = performance.now();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      performance.mark(READ_MARK);
      return objects;
    }
    for (const feature of splitter.push(value)) {
      const object = readMapObject(JSON.parse(feature));
      if (object !== null) objects.push(object);
      const nowMs = performance.now();
      if (nowMs < sliceEndMs) continue;
      if (nowMs - toldMs > TELL_MS) {
        tell(objects.length);
        toldMs = nowMs;
      }
      await otherEvents();
      signal.throwIfAborted();
      sliceEndMs = performance.now() + SLICE_MS;
    }
  }
}

async function problemOf(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => null);
  if (typeof body === "object" && body !== null && "errorMessage" in body) return String(body.errorMessage);
  return `HTTP ${answer.status}`;
}

/** Lets the browser draw and answer; a timer would wait 4 ms each time. */
async function otherEvents(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise<void>((resolve) => {
    port1.addEventListener("message", () => resolve(), { once: true });
    port1.start();
    port2.postMessage(null);
  });
  port1.close();
}

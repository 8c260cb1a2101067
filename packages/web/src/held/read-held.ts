import type { Client } from "@swath/client";
import type { Shape } from "../map/shape.ts";

/** Areas that are drawn at once, the newest ones. */
const MOST_AREAS = 1_000;
const PAGE = 500;
/** The most scenes that the service takes in one request. */
const MOST_SCENES = 1_000;

/** Areas that the group of the user has paid for, as shapes of the map. */
export interface HeldAreas {
  readonly shapes: readonly Shape[];
  /** Whether the group holds more than are read. */
  readonly hasMore: boolean;
}

/** @param sceneIds only areas of these scenes; null is all */
export async function readHeld(
  calls: Client,
  sceneIds: readonly string[] | null,
  signal: AbortSignal,
): Promise<HeldAreas> {
  const shapes: Shape[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(calls, sceneIds, cursor, signal);
    for (const { id, geometry, mapType } of page.results) {
      // A map type with a separate price is held on top of the scene, over the same area.
      if (geometry !== undefined && mapType === undefined) shapes.push({ id, geometry, look: "held" });
    }
    ({ cursor } = page);
  } while (cursor !== null && shapes.length < MOST_AREAS);
  return { shapes, hasMore: cursor !== null };
}

async function readPage(calls: Client, sceneIds: readonly string[] | null, cursor: string | null, signal: AbortSignal) {
  return await calls.call(
    "/credits/group/list-allocations",
    {
      includeGeometry: true,
      limit: PAGE,
      ...(sceneIds === null ? {} : { sceneIds: sceneIds.slice(0, MOST_SCENES) }),
      ...(cursor === null ? {} : { cursor }),
    },
    { signal },
  );
}

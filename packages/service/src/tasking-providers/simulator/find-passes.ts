import type { Polygon } from "@swath/kernel/geometry/geojson";
import type { OrbitSource } from "@swath/kernel/orbits/orbit-source";
import type { PassSearch } from "../../platform/geometry/pass-search.ts";
import type { RegisteredDataset } from "../../providers/catalog.ts";
import { simulatedElements } from "../orbits/elements-for.ts";
import { orbitWindows } from "../orbits/orbit-windows.ts";
import type { OfferedWindow } from "../tasking-provider.ts";

/** The simulated satellites and the threads that follow them. */
export interface PassDeps {
  readonly orbits: Pick<OrbitSource, "satellites">;
  readonly passes: Pick<PassSearch, "find">;
}

/** An area and the dataset whose satellites may image it. */
export interface PassQuery {
  readonly registered: RegisteredDataset;
  readonly geometry: Polygon;
  readonly fromMs: number;
  readonly toMs: number;
  /** The elements of the satellites are the newest ones of this moment. */
  readonly elementsMs: number;
}

const DAY_MS = 86_400_000;
/** Elements are refused 60 days from their epoch; an operator of a rehearsal renews them before. */
const PIECE_MS = 30 * DAY_MS;
/** Longer than half a pass: a pass belongs to the piece of its closest approach. */
const MARGIN_MS = 20 * 60_000;

/** Passes of the simulated satellites over an area, ascending. */
export async function findPasses(
  { orbits, passes }: PassDeps,
  query: PassQuery,
  signal: AbortSignal,
): Promise<readonly OfferedWindow[]> {
  const deps = { elementsFor: simulatedElements(orbits), passes };
  const { registered, geometry, fromMs, toMs } = query;
  const found: OfferedWindow[] = [];
  for (let pieceMs = fromMs; pieceMs < toMs; pieceMs += PIECE_MS) {
    const elementsMs = Math.max(query.elementsMs, pieceMs - PIECE_MS);
    const searched = {
      geometry,
      fromMs: Math.max(pieceMs - MARGIN_MS, fromMs),
      toMs: Math.min(pieceMs + PIECE_MS + MARGIN_MS, toMs),
    };
    const windows = await orbitWindows(deps, registered, searched, elementsMs, signal);
    const [first, last] = [pieceMs === fromMs, pieceMs + PIECE_MS >= toMs];
    found.push(
      ...windows.filter(({ closestMs }) => (first || closestMs >= pieceMs) && (last || closestMs < pieceMs + PIECE_MS)),
    );
  }
  return found;
}

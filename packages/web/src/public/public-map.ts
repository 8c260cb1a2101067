import { ApiError, createClient, type Client } from "@swath/client";
import { formatDay, formatTime } from "../format/dates.ts";
import { defaultFile } from "../maps/default-file.ts";
import { loadFacts, readMapId, tileUrl, type MapFacts } from "../maps/layer.ts";
import { publicText } from "./public-text.ts";

/** A map as strangers see it. */
export interface PublicMap {
  readonly mapType: string;
  /** Time of the scene, or first and last time of several. */
  readonly time: string;
  readonly attributions: readonly string[];
  readonly facts: MapFacts;
  /** Address of the tiles, with `{z}`, `{x}` and `{y}`. */
  readonly url: string;
}

export type PublicMapAnswer =
  | { readonly kind: "map"; readonly map: PublicMap }
  /** Revoked, over, or never an ID of the service. */
  | { readonly kind: "ended"; readonly message: string }
  | { readonly kind: "no-answer"; readonly message: string };

/** Reads everything that the page of a map shows: the map ID alone grants it. */
export async function loadPublicMap(mapId: string): Promise<PublicMapAnswer> {
  const calls = createClient({ baseUrl: "", retry: { maxAttempts: 2 } });
  if (readMapId(mapId) === null) return { kind: "ended", message: "" };
  try {
    return { kind: "map", map: await read(calls, mapId) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isGone = error instanceof ApiError && error.status < 500 && error.status !== 429;
    return { kind: isGone ? "ended" : "no-answer", message };
  }
}

async function read(calls: Client, mapId: string): Promise<PublicMap> {
  const { scenes } = await calls.call("/mapsvc/provenance/get", { mapId });
  const [facts, datasets] = await Promise.all([loadFacts(calls, mapId), calls.call("/imagery/datasets/list")]);
  const attributions = scenes.map(
    ({ provider, dataset }) =>
      datasets.find((one) => one.provider === provider && one.dataset === dataset)?.attribution ?? "",
  );
  const fileName = defaultFile(facts.mapType, Object.keys(facts.colours).length > 0);
  return {
    mapType: facts.mapType,
    time: timeText(scenes.map(({ datetime }) => datetime)),
    attributions: [...new Set(attributions)].filter((one) => one !== ""),
    facts,
    url: tileUrl({ mapId, fileName }),
  };
}

/** In order of time. */
function timeText(datetimes: readonly string[]): string {
  const first = datetimes[0];
  const last = datetimes.at(-1);
  if (first === undefined || last === undefined) return "";
  const text = `${formatDay(first)} ${formatTime(first)}`;
  const whole = first === last ? text : `${text} ${publicText.to} ${formatDay(last)} ${formatTime(last)}`;
  return `${whole} ${publicText.utc}`;
}

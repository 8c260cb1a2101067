import type { Client } from "@swath/client";
import { understoodLines } from "./understood-lines.ts";

export interface OwnedScenesRequest {
  readonly sceneId?: string;
  readonly deleted?: boolean;
  readonly groupId?: string;
}

/** A page of the scenes that a group ingested. */
export async function listOwnedScenes(
  client: Client,
  request: OwnedScenesRequest & { readonly limit: number; readonly cursor?: string },
  signal: AbortSignal,
) {
  return await client.call("/imagery/scene/list", request, { signal });
}

export type OwnedScene = Awaited<ReturnType<typeof listOwnedScenes>>["results"][number];

/** A scene for people, with its audience and its deletion. */
export function ownedSceneLines(scene: OwnedScene): readonly string[] {
  return [
    scene.sceneId,
    ...understoodLines(scene).map((line) => `  ${line}`),
    `  seen by ${scene.visibility}, ingested ${scene.ingestedAt} UTC, ${scene.revision} edits`,
    ...(scene.restorableUntil === null ? [] : [`  deleted, can be restored until ${scene.restorableUntil} UTC`]),
  ];
}

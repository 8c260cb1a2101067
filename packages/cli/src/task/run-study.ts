import type { Client } from "@swath/client";
import type { StudyRequest } from "./order-options.ts";

/** The result of a study. */
export type Study = Awaited<ReturnType<typeof runStudy>>;
export type StudyWindow = Study["windows"][number];

/** Asks for the windows of a capture. */
export async function runStudy(client: Client, request: StudyRequest, signal: AbortSignal) {
  return await client.run("/scene-tasking/feasibility", request, { signal });
}

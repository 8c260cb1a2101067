import type { Client } from "@swath/client";
import type { Task } from "./tasks.ts";

/** A file that a task has made. */
export interface TaskFile {
  /** Path on this service with its signature. */
  readonly url: string;
  readonly name: string;
  /** Null where the service does not state it. */
  readonly sizeBytes: number | null;
}

/** Operations whose result is a file. */
const FILE_OPERATIONS = ["/mapsvc/export", "/mapsvc/pdf-report", "/mapsvc/timelapse"] as const;

/** Whether the result of a task is a file to download. */
export function makesFile({ operation }: Pick<Task, "operation">): boolean {
  return operation === "/imagery/get-image" || FILE_OPERATIONS.some((one) => one === operation);
}

/** Reads the address of the file of a task. @throws {ApiError} when the result is no longer kept */
export async function readTaskFile(calls: Client, { operation, pipelineId }: Task): Promise<TaskFile> {
  if (operation === "/imagery/get-image") {
    const { urls } = await calls.retrieve("/imagery/get-image", pipelineId);
    return { ...placeOf(urls.geotiff), sizeBytes: null };
  }
  const known = FILE_OPERATIONS.find((one) => one === operation);
  if (known === undefined) throw new TypeError(`expected an operation that makes a file, got ${operation}`);
  const { url, size } = await calls.retrieve(known, pipelineId);
  return { ...placeOf(url), sizeBytes: size };
}

/** The service may state another origin than the one of the page, which the policy forbids. */
function placeOf(address: string): Pick<TaskFile, "name" | "url"> {
  const { pathname, search } = new URL(address, location.href);
  return { url: pathname + search, name: decodeURIComponent(pathname.split("/").at(-1) ?? "") };
}

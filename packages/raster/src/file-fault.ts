import { ServiceError } from "@swath/kernel/errors/service-error";
import { RasterError } from "./raster-error.ts";

/**
 * The refusal that an error of reading a file means. Null when the file may not be at fault: the disk, the network
 * or the machine failed, so that another attempt may succeed.
 */
export function fileFault(name: string, error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error;
  if (isSystemFailure(error)) return null;
  const reason = error instanceof Error ? error.message : String(error);
  return new RasterError("unreadable", `${name} cannot be read: ${reason.slice(0, 300)}`, { cause: error });
}

/** Whether the operating system refused a call: a full disk, too many open files, a folder that is gone. */
export function isSystemFailure(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && typeof error.syscall === "string";
}

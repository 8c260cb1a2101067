import { StoreFaultError } from "./store-fault.ts";

/** One block: the smallest file that a full disk refuses. The same bytes in all processes, which share the probe blob. */
export const PROBE_BYTES: Uint8Array = new Uint8Array(4096).fill(0x53);

/** @throws {StoreFaultError} when a probe blob has other bytes than were written */
export function checkProbe(read: Uint8Array): void {
  if (Buffer.compare(read, PROBE_BYTES) === 0) return;
  throw new StoreFaultError(
    "unavailable",
    `the probe blob was read with other bytes than were written: got ${read.byteLength} bytes, expected ${PROBE_BYTES.byteLength}`,
  );
}

import type { WorkSpool } from "../../../platform/uploads/work-spool.ts";

/** A header, then parts of a spool, each filled with zeros to a multiple of `alignment`. */
export async function* spoolBytes(
  spool: WorkSpool,
  header: Uint8Array,
  parts: readonly { readonly start: number; readonly length: number }[],
  alignment = 1,
): AsyncIterable<Uint8Array> {
  yield header;
  for (const { start, length } of parts) {
    const bytes = new Uint8Array(Math.ceil(length / alignment) * alignment);
    await spool.read(start, bytes.subarray(0, length));
    yield bytes;
  }
}

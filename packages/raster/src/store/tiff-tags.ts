/** TIFF field types used here. */
export const TIFF_SHORT = 3;
export const TIFF_ASCII = 2;
export const TIFF_LONG = 4;
export const TIFF_DOUBLE = 12;
/** BigTIFF only. */
export const TIFF_LONG8 = 16;

const FIELD_BYTES: Readonly<Record<number, number>> = {
  [TIFF_ASCII]: 1,
  [TIFF_SHORT]: 2,
  [TIFF_LONG]: 4,
  [TIFF_DOUBLE]: 8,
  [TIFF_LONG8]: 8,
};

export interface TiffTag {
  readonly tag: number;
  readonly type: number;
  /** Text for ASCII (a NUL is added), numbers for the rest. */
  readonly value: string | readonly number[];
}

interface Layout {
  readonly bigTiff: boolean;
}

function payload(tag: TiffTag): Uint8Array {
  if (typeof tag.value === "string") return new TextEncoder().encode(`${tag.value}\0`);
  const size = FIELD_BYTES[tag.type] ?? 1;
  const bytes = new Uint8Array(tag.value.length * size);
  const view = new DataView(bytes.buffer);
  tag.value.forEach((number, index) => {
    const at = index * size;
    if (tag.type === TIFF_SHORT) view.setUint16(at, number, true);
    else if (tag.type === TIFF_LONG) view.setUint32(at, number, true);
    else if (tag.type === TIFF_DOUBLE) view.setFloat64(at, number, true);
    else view.setBigUint64(at, BigInt(number), true);
  });
  return bytes;
}

function count(tag: TiffTag, bytes: Uint8Array): number {
  return bytes.length / (FIELD_BYTES[tag.type] ?? 1);
}

/** Bytes that a directory takes, its values that do not fit into entries included; a multiple of 8. */
export function directoryBytes(tags: readonly TiffTag[], { bigTiff }: Layout): number {
  const inline = bigTiff ? 8 : 4;
  let total = bigTiff ? 8 + tags.length * 20 + 8 : 2 + tags.length * 12 + 4;
  total = align(total);
  for (const tag of tags) {
    const { length } = payload(tag);
    if (length > inline) total += align(length);
  }
  return total;
}

/**
 * One image file directory with its values right behind it.
 *
 * @param tags in any order; written in ascending order as TIFF demands
 * @param offset position of the directory in the file
 * @param nextOffset position of the next directory, 0 for the last
 */
export function encodeDirectory(
  tags: readonly TiffTag[],
  offset: number,
  nextOffset: number,
  layout: Layout,
): Uint8Array {
  const { bigTiff } = layout;
  const sorted = tags.toSorted((a, b) => a.tag - b.tag);
  const out = new Uint8Array(directoryBytes(sorted, layout));
  const view = new DataView(out.buffer);
  const inline = bigTiff ? 8 : 4;
  const writeOffset = (at: number, value: number): void => {
    if (bigTiff) view.setBigUint64(at, BigInt(value), true);
    else view.setUint32(at, value, true);
  };
  let at: number;
  if (bigTiff) {
    view.setBigUint64(0, BigInt(sorted.length), true);
    at = 8;
  } else {
    view.setUint16(0, sorted.length, true);
    at = 2;
  }
  let valueAt = align(at + sorted.length * (bigTiff ? 20 : 12) + (bigTiff ? 8 : 4));
  for (const tag of sorted) {
    const bytes = payload(tag);
    view.setUint16(at, tag.tag, true);
    view.setUint16(at + 2, tag.type, true);
    writeOffset(at + 4, count(tag, bytes));
    const slot = at + (bigTiff ? 12 : 8);
    if (bytes.length <= inline) out.set(bytes, slot);
    else {
      writeOffset(slot, offset + valueAt);
      out.set(bytes, valueAt);
      valueAt += align(bytes.length);
    }
    at += bigTiff ? 20 : 12;
  }
  writeOffset(at, nextOffset);
  return out;
}

function align(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

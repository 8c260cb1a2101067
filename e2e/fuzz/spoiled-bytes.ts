import * as fc from "fast-check";

/** A change of a file; `at` and `to` are shares of its length. */
type Mutation =
  | { readonly kind: "flip" | "set" | "word" | "insert" | "tag"; readonly at: number; readonly value: number }
  | { readonly kind: "cut" | "drop" | "repeat" | "swap"; readonly at: number; readonly to: number }
  | { readonly kind: "splice"; readonly at: number; readonly to: number; readonly other: number };

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
/** Most headers and directories lie at either end. */
const place = fc.oneof(
  { weight: 2, arbitrary: share },
  { weight: 2, arbitrary: share.map((value) => value ** 4) },
  { weight: 1, arbitrary: share.map((value) => Math.max(0, 1 - (1 - value) ** 4 - 1e-9)) },
);
const word = fc.oneof(
  fc.constantFrom(0, 1, 2, 7, 8, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff),
  fc.nat({ max: 0xffff_ffff }),
);

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constantFrom("flip", "set", "word", "insert", "tag"), at: place, value: word }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("tag"), at: share, value: word }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("cut", "drop", "repeat", "swap"), at: place, to: place }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("splice"), at: share, to: share, other: fc.nat({ max: 10_000 }) }),
  },
);

/** One to four changes of a file. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(mutation) },
  { weight: 1, arbitrary: fc.array(mutation, { minLength: 2, maxLength: 4 }) },
);

/** Files do not grow beyond this number of bytes: repeated changes would. */
const MOST_BYTES = 2_000_000;

/** The bytes after the changes. `others` are files that a part is taken from. */
export function spoiledBytes(
  bytes: Uint8Array,
  changes: readonly Mutation[],
  others: readonly Uint8Array[],
): Uint8Array {
  return changes.reduce<Uint8Array>((before, change) => {
    const after = applied(Buffer.from(before), change, others);
    return after.length > MOST_BYTES ? after.subarray(0, MOST_BYTES) : after;
  }, bytes);
}

function applied(bytes: Buffer<ArrayBuffer>, change: Mutation, others: readonly Uint8Array[]): Uint8Array {
  if (bytes.length < 8) return Buffer.from("II*\0\u0008\0\0\0", "latin1");
  const at = Math.min(bytes.length - 1, Math.floor(change.at * bytes.length));
  switch (change.kind) {
    case "flip":
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (change.value % 8));
      return bytes;
    case "set":
      bytes[at] = change.value & 0xff;
      return bytes;
    case "word":
      bytes.writeUInt32LE(change.value, Math.min(at, bytes.length - 4));
      return bytes;
    case "insert":
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.alloc((change.value % 64) + 1, change.value),
        bytes.subarray(at),
      ]);
    case "tag":
      return withWrongTag(bytes, change.at, change.value);
    case "cut":
      return bytes.subarray(0, at);
    case "splice": {
      const other = Buffer.from(others[change.other % Math.max(1, others.length)] ?? bytes);
      return Buffer.concat([bytes.subarray(0, at), other.subarray(Math.floor(change.to * other.length))]);
    }
    case "drop":
    case "repeat":
    case "swap":
      return rearranged(bytes, change.kind, at, Math.floor(change.to * bytes.length));
    default:
      return bytes;
  }
}

/** Parts of the file dropped, repeated or exchanged; exchanged are four bytes, the size of an offset. */
function rearranged(bytes: Buffer, kind: "drop" | "repeat" | "swap", one: number, other: number): Uint8Array {
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  if (kind === "drop") return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  if (kind === "repeat") return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from, to), bytes.subarray(to)]);
  const first = Buffer.from(bytes.subarray(from, from + 4));
  bytes.copy(bytes, from, to, to + 4);
  first.copy(bytes, to);
  return bytes;
}

const ENTRY_BYTES = 12;

/**
 * A TIFF with one field of a directory entry changed: tag, type, count or value (TIFF 6.0, section 2). Any other file,
 * and a BigTIFF, gets the value somewhere in its first hundred bytes.
 */
function withWrongTag(bytes: Buffer, at: number, value: number): Uint8Array {
  const little = bytes[0] === 0x49;
  const isTiff = bytes.readUInt16BE(0) === 0x4949 || bytes.readUInt16BE(0) === 0x4d4d;
  const directory = little ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4);
  const read16 = (offset: number): number => (little ? bytes.readUInt16LE(offset) : bytes.readUInt16BE(offset));
  const count = isTiff && directory + 2 <= bytes.length ? read16(directory) : 0;
  if (count === 0 || directory + 2 + count * ENTRY_BYTES > bytes.length) {
    bytes.writeUInt32LE(value, Math.floor(at * Math.min(96, bytes.length - 4)));
    return bytes;
  }
  const entry = directory + 2 + Math.floor(at * count) * ENTRY_BYTES;
  const field = value % 4;
  if (field < 2) {
    const narrow = field === 0 ? 254 + (value % 100) : value % 20;
    if (little) bytes.writeUInt16LE(narrow, entry + field * 2);
    else bytes.writeUInt16BE(narrow, entry + field * 2);
  } else if (little) bytes.writeUInt32LE(value, entry + field * 4 - 4);
  else bytes.writeUInt32BE(value, entry + field * 4 - 4);
  return bytes;
}

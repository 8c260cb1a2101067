/** Bytes that are no protocol-buffer message. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}

/** One field of a message, as it is stored. */
export interface ProtobufField {
  readonly number: number;
  /** Of integers; exact up to 2^53. 0 for all else. */
  readonly value: number;
  /** Of texts, bytes, packed numbers and messages within: a view of the input. Empty for all else. */
  readonly bytes: Uint8Array;
}

const NONE = new Uint8Array(0);
/** Of 7 bits each: 64 bits, and the 32 bits of a tag. */
const MAX_VARINT_BYTES = 10;
const MAX_TAG_BYTES = 5;

/**
 * The fields of one message in the order of the bytes; messages within are not opened. Groups, which the format has long
 * given up, are refused.
 *
 * @throws {ProtobufError} when the bytes end early or are no message
 */
export function* protobufFields(bytes: Uint8Array): Generator<ProtobufField> {
  let at = 0;
  const varint = (maxBytes: number): number => {
    let value = 0;
    for (let index = 0; index < maxBytes; index++) {
      const byte = bytes[at++];
      if (byte === undefined) throw new ProtobufError(`the file ends within a number at byte ${at}`);
      value += (byte & 127) * 2 ** (7 * index);
      if (byte < 128) return value;
    }
    throw new ProtobufError(`there is no number at byte ${at}`);
  };
  const take = (count: number): Uint8Array => {
    if (count > bytes.length - at) {
      throw new ProtobufError(`got ${bytes.length - at} bytes, expected ${count} at byte ${at}`);
    }
    at += count;
    return bytes.subarray(at - count, at);
  };
  while (at < bytes.length) {
    const tag = varint(MAX_TAG_BYTES);
    const number = Math.floor(tag / 8);
    if (number === 0) throw new ProtobufError(`there is no field at byte ${at}`);
    switch (tag % 8) {
      case 0:
        yield { number, value: varint(MAX_VARINT_BYTES), bytes: NONE };
        break;
      case 1:
        take(8);
        yield { number, value: 0, bytes: NONE };
        break;
      case 2:
        yield { number, value: 0, bytes: take(varint(MAX_VARINT_BYTES)) };
        break;
      case 5:
        take(4);
        yield { number, value: 0, bytes: NONE };
        break;
      default:
        throw new ProtobufError(`there is no field of the kind ${tag % 8}, at byte ${at}`);
    }
  }
}

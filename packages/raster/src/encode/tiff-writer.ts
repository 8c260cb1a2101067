/** Types of values. */
export const SHORT = 3;
export const LONG = 4;
export const DOUBLE = 12;
export const ASCII = 2;

export interface Tag {
  readonly tag: number;
  readonly type: typeof SHORT | typeof LONG | typeof DOUBLE | typeof ASCII;
  readonly values: readonly number[] | string;
}

/** Where bytes are in the file. */
export interface Strip {
  readonly offset: number;
  readonly length: number;
}

/** Collects pixel data behind an 8-byte header and puts the directories at the end. */
export class TiffWriter {
  readonly #parts: Uint8Array[] = [];
  #size = 8;

  data(bytes: Uint8Array): Strip {
    const offset = this.#size;
    this.#parts.push(bytes);
    this.#size += bytes.length;
    if (this.#size % 2 === 1) {
      this.#parts.push(new Uint8Array(1));
      this.#size++;
    }
    return { offset, length: bytes.length };
  }

  finish(directories: readonly (readonly Tag[])[]): Uint8Array {
    const encoded = directories.map((tags) => this.#directory(tags));
    const header = new DataView(new ArrayBuffer(8));
    header.setUint16(0, 0x4949, true);
    header.setUint16(2, 42, true);
    const positions = encoded.map((bytes) => this.data(bytes).offset);
    header.setUint32(4, positions[0]!, true);
    for (const [index, bytes] of encoded.entries()) {
      new DataView(bytes.buffer).setUint32(bytes.length - 4, positions[index + 1] ?? 0, true);
    }
    const result = new Uint8Array(this.#size);
    result.set(new Uint8Array(header.buffer));
    let at = 8;
    for (const part of this.#parts) {
      result.set(part, at);
      at += part.length;
    }
    return result;
  }

  #directory(tags: readonly Tag[]): Uint8Array {
    const bytes = new Uint8Array(2 + tags.length * 12 + 4);
    const view = new DataView(bytes.buffer);
    view.setUint16(0, tags.length, true);
    for (const [index, { tag, type, values }] of tags.entries()) {
      const payload = encodeValues(type, values);
      const at = 2 + index * 12;
      view.setUint16(at, tag, true);
      view.setUint16(at + 2, type, true);
      view.setUint32(at + 4, typeof values === "string" ? payload.length : values.length, true);
      if (payload.length <= 4) bytes.set(payload, at + 8);
      else view.setUint32(at + 8, this.data(payload).offset, true);
    }
    return bytes;
  }
}

function encodeValues(type: Tag["type"], values: Tag["values"]): Uint8Array {
  if (typeof values === "string") return new TextEncoder().encode(`${values}\0`);
  const size = type === SHORT ? 2 : type === LONG ? 4 : 8;
  const view = new DataView(new ArrayBuffer(values.length * size));
  for (const [index, value] of values.entries()) {
    if (type === SHORT) view.setUint16(index * 2, value, true);
    else if (type === LONG) view.setUint32(index * 4, value, true);
    else view.setFloat64(index * 8, value, true);
  }
  return new Uint8Array(view.buffer);
}

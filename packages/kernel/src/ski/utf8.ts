import { SkiError } from "./ski-error.ts";

/** The bytes of a well-formed text, as JSON.stringify makes it. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(3 * text.length);
  let at = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const tail = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x1_0000 ? 2 : 3;
    const lead = [0, 0xc0, 0xe0, 0xf0][tail] ?? 0;
    bytes[at] = lead | (code >> (6 * tail));
    for (let i = 1; i <= tail; i += 1) bytes[at + i] = 0x80 | ((code >> (6 * (tail - i))) & 0x3f);
    at += 1 + tail;
  }
  return bytes.slice(0, at);
}

/** Code units joined at once: arguments of one call are limited. */
const CHUNK = 4_096;

/** @throws {SkiError} when the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  let text = "";
  let codes: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    const tail = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    let code = tail === 0 ? lead : lead & (0x3f >> tail);
    for (let i = 1; i <= tail; i += 1) {
      const byte = bytes[at + i] ?? 0;
      if ((byte & 0xc0) !== 0x80) throw notUtf8(at);
      code = (code << 6) | (byte & 0x3f);
    }
    const least = [0, 0x80, 0x800, 0x1_0000][tail] ?? 0;
    const isSurrogate = code >= 0xd800 && code < 0xe000;
    if ((lead >= 0x80 && lead < 0xc0) || lead > 0xf7 || code < least || code > 0x10_ffff || isSurrogate) {
      throw notUtf8(at);
    }
    codes.push(code);
    at += 1 + tail;
    if (codes.length === CHUNK) {
      text += String.fromCodePoint(...codes);
      codes = [];
    }
  }
  return text + String.fromCodePoint(...codes);
}

function notUtf8(at: number): SkiError {
  return new SkiError(`the text is not UTF-8 at byte ${at}`);
}

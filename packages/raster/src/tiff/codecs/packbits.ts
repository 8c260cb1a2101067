/**
 * PackBits (TIFF 6.0 section 9).
 *
 * @returns exactly `expectedBytes` bytes, zero-filled when the stream ends early, and how many the stream gave
 */
export function decodePackBits(input: Uint8Array, expectedBytes: number): { bytes: Uint8Array; decoded: number } {
  const output = new Uint8Array(expectedBytes);
  let written = 0;
  let position = 0;
  while (written < expectedBytes && position < input.length) {
    const control = input[position++]!;
    if (control < 128) {
      const length = Math.min(control + 1, expectedBytes - written, input.length - position);
      output.set(input.subarray(position, position + length), written);
      written += length;
      position += control + 1;
    } else if (control > 128) {
      if (position >= input.length) break;
      const end = Math.min(written + 257 - control, expectedBytes);
      output.fill(input[position++]!, written, end);
      written = end;
    }
  }
  return { bytes: output, decoded: written };
}

/**
 * Horizontal differencing (predictor 2) undone in place on native-endian samples. Sums wrap at the sample's width,
 * floats are summed as the integers of their bits (libtiff does the same).
 *
 * @param bytes rows of `rowSamples` samples, aligned to `bytesPerSample` (4 for 8-byte samples)
 * @param rowSamples samples of one row, `stride` of them per pixel
 */
export function undoHorizontal(
  bytes: Uint8Array,
  bytesPerSample: number,
  rowSamples: number,
  stride: number,
  rows: number,
): void {
  switch (bytesPerSample) {
    case 1:
      return accumulate(bytes, rowSamples, stride, rows);
    case 2:
      return accumulate(new Uint16Array(bytes.buffer, bytes.byteOffset, rowSamples * rows), rowSamples, stride, rows);
    case 4:
      return accumulate(new Int32Array(bytes.buffer, bytes.byteOffset, rowSamples * rows), rowSamples, stride, rows);
    default:
      return accumulate64(
        new Uint32Array(bytes.buffer, bytes.byteOffset, rowSamples * rows * 2),
        rowSamples,
        stride,
        rows,
      );
  }
}

function accumulate(
  values: Uint8Array | Uint16Array | Int32Array,
  rowSamples: number,
  stride: number,
  rows: number,
): void {
  for (let row = 0; row < rows; row++) {
    const start = row * rowSamples;
    const end = start + rowSamples;
    if (stride === 1) {
      let sum = 0;
      for (let i = start; i < end; i++) {
        sum = (sum + values[i]!) | 0;
        values[i] = sum;
      }
    } else if (stride === 3) {
      let a = 0;
      let b = 0;
      let c = 0;
      for (let i = start; i < end; i += 3) {
        a = (a + values[i]!) | 0;
        b = (b + values[i + 1]!) | 0;
        c = (c + values[i + 2]!) | 0;
        values[i] = a;
        values[i + 1] = b;
        values[i + 2] = c;
      }
    } else if (stride === 4) {
      // Running sums in registers, here and for three: half the time of re-reading the previous pixel.
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      for (let i = start; i < end; i += 4) {
        a = (a + values[i]!) | 0;
        b = (b + values[i + 1]!) | 0;
        c = (c + values[i + 2]!) | 0;
        d = (d + values[i + 3]!) | 0;
        values[i] = a;
        values[i + 1] = b;
        values[i + 2] = c;
        values[i + 3] = d;
      }
    } else {
      for (let i = start + stride; i < end; i++) values[i] = (values[i]! + values[i - stride]!) | 0;
    }
  }
}

/** Two 32-bit halves, low first, with a carry between them. */
function accumulate64(halves: Uint32Array, rowSamples: number, stride: number, rows: number): void {
  for (let row = 0; row < rows; row++) {
    const start = row * rowSamples * 2;
    const end = start + rowSamples * 2;
    for (let i = start + stride * 2; i < end; i += 2) {
      const low = halves[i]! + halves[i - stride * 2]!;
      halves[i] = low;
      halves[i + 1] = halves[i + 1]! + halves[i + 1 - stride * 2]! + (low > 0xff_ff_ff_ff ? 1 : 0);
    }
  }
}

/**
 * Floating point differencing (predictor 3, Adobe Photoshop TIFF Technical Note 3) undone: byte planes, most
 * significant first whatever the file's byte order, each byte the difference to the byte `stride` before.
 *
 * @returns little-endian samples in new memory
 */
export function undoFloatingPoint(
  bytes: Uint8Array,
  bytesPerSample: number,
  rowSamples: number,
  stride: number,
  rows: number,
): Uint8Array {
  const output = new Uint8Array(rowSamples * bytesPerSample * rows);
  const rowBytes = rowSamples * bytesPerSample;
  for (let row = 0; row < rows; row++) {
    const start = row * rowBytes;
    const end = start + rowBytes;
    if (stride === 1) {
      let sum = 0;
      for (let i = start; i < end; i++) {
        sum = (sum + bytes[i]!) & 0xff;
        bytes[i] = sum;
      }
    } else {
      for (let i = start + stride; i < end; i++) bytes[i] = bytes[i]! + bytes[i - stride]!;
    }
    for (let plane = 0; plane < bytesPerSample; plane++) {
      let from = start + plane * rowSamples;
      let to = start + bytesPerSample - 1 - plane;
      for (let i = 0; i < rowSamples; i++) {
        output[to] = bytes[from++]!;
        to += bytesPerSample;
      }
    }
  }
  return output;
}

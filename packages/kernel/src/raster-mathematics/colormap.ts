/** Colours at equal steps along a ramp, `[r, g, b]` 0 to 255. */
type Anchors = readonly (readonly [r: number, g: number, b: number])[];

/** Brown, through near-white at the middle, to green: signs are told apart by people with red-green blindness too. */
const DIVERGING: Anchors = [
  [84, 48, 5],
  [140, 81, 10],
  [191, 129, 45],
  [223, 194, 125],
  [246, 232, 195],
  [245, 245, 245],
  [205, 230, 190],
  [145, 200, 120],
  [80, 160, 70],
  [25, 115, 45],
  [0, 68, 27],
];

/** Dark blue to pale yellow with rising lightness. */
const HEAT: Anchors = [
  [8, 6, 45],
  [59, 12, 107],
  [114, 26, 110],
  [165, 44, 96],
  [213, 72, 66],
  [243, 120, 25],
  [252, 180, 50],
  [252, 254, 164],
];

/** Black to white. */
const GRAY: Anchors = [
  [0, 0, 0],
  [255, 255, 255],
];

/** Pale to dark blue, violet where it pours. */
const RAIN: Anchors = [
  [224, 243, 255],
  [150, 205, 250],
  [70, 150, 235],
  [25, 95, 200],
  [60, 40, 160],
  [140, 20, 140],
];

/** Blue background, yellow and red plumes. */
const METHANE: Anchors = [
  [30, 50, 120],
  [60, 120, 190],
  [150, 205, 215],
  [250, 240, 170],
  [250, 160, 60],
  [170, 15, 30],
];

/** The night as it is seen: black, amber, white. */
const NIGHT: Anchors = [
  [4, 6, 20],
  [45, 35, 55],
  [130, 85, 40],
  [240, 180, 80],
  [255, 250, 225],
];

/** Sampled every tenth from the map of matplotlib (CC0): lightness rises evenly. */
const VIRIDIS: Anchors = [
  [68, 1, 84],
  [72, 36, 117],
  [65, 68, 135],
  [53, 95, 141],
  [42, 120, 142],
  [33, 145, 140],
  [34, 168, 132],
  [68, 191, 112],
  [122, 209, 81],
  [189, 223, 38],
  [253, 231, 37],
];

export type RampName = "heat" | "diverging" | "gray" | "rain" | "methane" | "night" | "viridis";

const STEPS = 256;

function tabulate(anchors: Anchors): Uint8Array {
  const table = new Uint8Array(STEPS * 3);
  for (let i = 0; i < STEPS; i++) {
    const at = (i / (STEPS - 1)) * (anchors.length - 1);
    const lower = Math.min(Math.floor(at), anchors.length - 2);
    for (let channel = 0; channel < 3; channel++) {
      const a = anchors[lower]![channel]!;
      const b = anchors[lower + 1]![channel]!;
      table[i * 3 + channel] = Math.round(a + (b - a) * (at - lower));
    }
  }
  return table;
}

/** 256 colours, three bytes each, low values first. */
const DIVERGING_RAMP: Uint8Array = tabulate(DIVERGING);
export const HEAT_RAMP: Uint8Array = tabulate(HEAT);

/** Every ramp by the name that layers of values give. */
export const RAMPS: Readonly<Record<RampName, Uint8Array>> = {
  heat: HEAT_RAMP,
  diverging: DIVERGING_RAMP,
  gray: tabulate(GRAY),
  rain: tabulate(RAIN),
  methane: tabulate(METHANE),
  night: tabulate(NIGHT),
  viridis: tabulate(VIRIDIS),
};

export function isRampName(name: string): name is RampName {
  return Object.hasOwn(RAMPS, name);
}

/** The names of all ramps. */
export const RAMP_NAMES: readonly RampName[] = Object.keys(RAMPS).filter(isRampName);

/**
 * Paints values with a ramp, `low` as its first and `high` as its last colour, values outside with the ends.
 * Pixels with alpha 0 or without a value are (0, 0, 0, 0).
 *
 * @param alpha one byte per value
 * @returns RGBA, `values.length * 4`
 */
export function paintRamp(
  values: Float32Array,
  alpha: Uint8Array,
  ramp: Uint8Array,
  low: number,
  high: number,
): Uint8Array {
  const rgba = new Uint8Array(values.length * 4);
  const words = new Uint32Array(rgba.buffer);
  const opaque = opaqueWords(ramp);
  const gain = (STEPS - 1) / (high - low);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const a = alpha[i]!;
    if (a === 0 || Number.isNaN(value)) continue;
    const step = (value - low) * gain;
    words[i] = opaque[step <= 0 ? 0 : step >= STEPS - 1 ? STEPS - 1 : (step + 0.5) | 0]!;
    if (a !== 255) rgba[i * 4 + 3] = a;
  }
  return rgba;
}

/** The colours of a table, three bytes each, as opaque pixels in the byte order of the machine. */
function opaqueWords(colors: Uint8Array): Uint32Array {
  const pixels = new Uint8Array((colors.length / 3) * 4).fill(255);
  for (let i = 0; i < colors.length; i++) pixels[Math.floor(i / 3) * 4 + (i % 3)] = colors[i]!;
  return new Uint32Array(pixels.buffer);
}

/** Paints class numbers with a palette; numbers beyond it stay transparent. */
export function paintPalette(
  values: Float32Array,
  alpha: Uint8Array,
  palette: readonly (readonly [number, number, number])[],
): Uint8Array {
  const rgba = new Uint8Array(values.length * 4);
  for (let i = 0; i < values.length; i++) {
    const color = palette[values[i]!];
    const a = alpha[i]!;
    if (a === 0 || color === undefined) continue;
    rgba[i * 4] = color[0];
    rgba[i * 4 + 1] = color[1];
    rgba[i * 4 + 2] = color[2];
    rgba[i * 4 + 3] = a;
  }
  return rgba;
}

/**
 * Paints numbers of classes in their colours, opaque where `mask` is not 0; numbers without a colour stay transparent.
 *
 * @param colors by number
 * @returns RGBA, `numbers.length * 4`
 */
export function paintNumbers(
  numbers: Uint8Array,
  mask: Uint8Array,
  colors: ReadonlyMap<number, readonly [number, number, number]>,
): Uint8Array {
  const table = new Uint8Array(256 * 4);
  for (const [number, color] of colors) table.set([...color, 255], number * 4);
  const words = new Uint32Array(table.buffer);
  const pixels = new Uint32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) if (mask[i] !== 0) pixels[i] = words[numbers[i]!]!;
  return new Uint8Array(pixels.buffer);
}

/** One colour where a value is at least `threshold`, transparent elsewhere. */
export function paintThreshold(
  values: Float32Array,
  alpha: Uint8Array,
  threshold: number,
  color: readonly [number, number, number],
): Uint8Array {
  const rgba = new Uint8Array(values.length * 4);
  for (let i = 0; i < values.length; i++) {
    const a = alpha[i]!;
    if (a === 0 || !(values[i]! >= threshold)) continue;
    rgba.set(color, i * 4);
    rgba[i * 4 + 3] = a;
  }
  return rgba;
}

/** [red, green, blue] by class. */
export type ClassColours = Readonly<Record<string, readonly number[]>>;

/** Patterns repeat after so many pixels, which divide the width of a tile. */
export const PATTERN_PX = 8;

const DARK = [0, 0, 0] as const;
const PALE = [255, 255, 255] as const;

/** Whether a pixel of a pattern is marked; x and y are 0 to 7. */
type Pattern = (x: number, y: number) => boolean;

const lying: Pattern = (_, y) => y < 2;
const standing: Pattern = (x) => x < 2;
const rising: Pattern = (x, y) => (x + y) % PATTERN_PX < 2;
const falling: Pattern = (x, y) => (x - y + PATTERN_PX) % PATTERN_PX < 2;

/** The first class stays plain. More classes than patterns repeat them, each in another colour. */
const PATTERNS: readonly Pattern[] = [
  () => false,
  rising,
  (x, y) => x < 3 && y < 3,
  lying,
  falling,
  standing,
  (x, y) => rising(x, y) || falling(x, y),
  (x, y) => lying(x, y) || standing(x, y),
  (_, y) => y % 4 === 0,
  (x) => x % 4 === 0,
  (x, y) => x % 4 < 2 && y % 4 < 2,
  (x, y) => Math.max(Math.abs(x - 3.5), Math.abs(y - 3.5)) === 2.5,
];

/** Whether the pattern of the class at a position of the list marks a pixel. */
export function isMarked(position: number, x: number, y: number): boolean {
  return PATTERNS[position % PATTERNS.length]?.(x % PATTERN_PX, y % PATTERN_PX) ?? false;
}

/** Black on a pale colour, white on a dark one: the contrast is 4.5 or more. */
export function markColour([red = 0, green = 0, blue = 0]: readonly number[]): readonly [number, number, number] {
  return luminance(red) * 0.2126 + luminance(green) * 0.7152 + luminance(blue) * 0.0722 > 0.179 ? DARK : PALE;
}

/** Of one channel, 0 to 255, by WCAG 2.2. */
function luminance(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/**
 * Draws the patterns of classes onto a picture, in place. Pixels in another colour stay.
 *
 * @param rgba rows of pixels, four bytes each
 */
export function drawPatterns(rgba: Uint8ClampedArray, widthPx: number, colours: ClassColours): void {
  const classes = new Map(
    Object.values(colours).map((colour, position) => {
      const [red = 0, green = 0, blue = 0] = colour;
      return [packed(red, green, blue), { position, mark: markColour(colour) }];
    }),
  );
  for (let at = 0; at < rgba.length; at += 4) {
    if (rgba[at + 3] === 0) continue;
    const drawn = classes.get(packed(rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0));
    if (drawn === undefined) continue;
    const pixel = at / 4;
    if (isMarked(drawn.position, pixel % widthPx, Math.floor(pixel / widthPx))) rgba.set(drawn.mark, at);
  }
}

function packed(red: number, green: number, blue: number): number {
  return (red << 16) | (green << 8) | blue;
}

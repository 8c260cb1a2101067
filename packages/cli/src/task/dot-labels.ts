/** A named dot of a picture, pixels. */
export interface Dot {
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

/** A label of about three letters beside its dot takes so much room. */
const [LABEL_WIDTH_PX, LABEL_HEIGHT_PX] = [32, 16];

/**
 * Dots with labels that do not cover each other: dots near an earlier one share its place, and their labels stand in one
 * line.
 *
 * @example dotLabels([{ x: 0, y: 0, label: "@1" }, { x: 5, y: 3, label: "@2" }]) // [{ x: 0, y: 0, label: "@1 @2" }]
 */
export function dotLabels(dots: readonly Dot[]): readonly Dot[] {
  const placed: Dot[] = [];
  for (const dot of dots) {
    const at = placed.findIndex(
      ({ x, y }) => Math.abs(dot.x - x) < LABEL_WIDTH_PX && Math.abs(dot.y - y) < LABEL_HEIGHT_PX,
    );
    const near = placed[at];
    if (near === undefined) placed.push(dot);
    else placed[at] = { ...near, label: `${near.label} ${dot.label}` };
  }
  return placed;
}

/** Texts of pinned dates. */
export const pinsText = {
  title: "Pinned dates",
  pin: "Pin this date",
  unpin: (day: string) => `Unpin ${day}`,
  show: (day: string) => `Show ${day}`,
  compare: "Compare pins",
  make: "Tick pins",
  full: (most: number) => `${most} dates are pinned. Unpin one first.`,
} as const;

/** How a field grows through the year. */
export interface Crop {
  /** Days after the first of January, in the north, when it is greenest. */
  readonly peakDay: number;
  readonly spreadDays: number;
  readonly ripens: boolean;
  readonly flowers: boolean;
  /** Greatest cover of the ground. */
  readonly cover: number;
}

export const CROPS: readonly Crop[] = [
  { peakDay: 138, spreadDays: 52, ripens: true, flowers: false, cover: 0.97 },
  { peakDay: 150, spreadDays: 50, ripens: true, flowers: false, cover: 0.92 },
  { peakDay: 212, spreadDays: 44, ripens: true, flowers: false, cover: 0.95 },
  { peakDay: 205, spreadDays: 48, ripens: false, flowers: false, cover: 0.9 },
  { peakDay: 125, spreadDays: 46, ripens: true, flowers: true, cover: 0.95 },
  { peakDay: 180, spreadDays: 140, ripens: false, flowers: false, cover: 0.86 },
  { peakDay: 165, spreadDays: 110, ripens: false, flowers: false, cover: 0.74 },
  { peakDay: 190, spreadDays: 60, ripens: false, flowers: false, cover: 0.45 },
];

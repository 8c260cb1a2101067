import { smoothStep } from "../noise.ts";

/** Where land is likely: cells of ten degrees from 180 west and 90 north. Coasts themselves are invented. */
const CELLS = [
  "..........######....................",
  ".....#####...###.......#.#######....",
  "############.#..#..#################",
  ".....#######.....###############.#..",
  ".....#######.....################...",
  "......#####......##..###########....",
  ".......##.......########.#####......",
  "........##......#######..#.##.#.....",
  "..........###....######.....##......",
  "..........#####....###......##.##...",
  "...........###.....####.......###...",
  "...........###.....##........#####..",
  "...........##.......#........#.###..",
  "..........##.......................#",
  "...........#........................",
  "....................................",
  "####################################",
  "####################################",
];

/** Cities at real places, with the sea on its real side. The demonstration starts at the first one. */
export interface Anchor {
  readonly lonDeg: number;
  readonly latDeg: number;
  /** Direction of the sea in degrees clockwise from north; null inland. */
  readonly seaDeg: number | null;
  /** Kilometres from the city to the shore. */
  readonly shoreKm: number;
  /** Kilometres from the middle to where the suburbs end. */
  readonly radiusKm: number;
}

const anchor = (lonDeg: number, latDeg: number, seaDeg: number | null, shoreKm: number, radiusKm: number): Anchor => ({
  lonDeg,
  latDeg,
  seaDeg,
  shoreKm,
  radiusKm,
});

export const ANCHORS: readonly Anchor[] = [
  anchor(153.11, -27.43, 72, 10.5, 17),
  anchor(151.15, -33.88, 95, 12, 22),
  anchor(144.96, -37.8, 200, 9, 22),
  anchor(115.87, -31.97, 270, 12, 14),
  anchor(174.77, -36.88, 60, 8, 12),
  anchor(139.7, 35.67, 140, 14, 30),
  anchor(135.48, 34.68, 230, 9, 20),
  anchor(126.98, 37.54, null, 40, 22),
  anchor(121.45, 31.22, 85, 28, 26),
  anchor(116.4, 39.92, null, 150, 25),
  anchor(114.15, 22.4, 160, 12, 14),
  anchor(103.83, 1.34, 180, 10, 15),
  anchor(106.83, -6.22, 0, 12, 22),
  anchor(100.53, 13.75, 180, 30, 20),
  anchor(120.99, 14.6, 270, 8, 18),
  anchor(72.88, 19.1, 260, 8, 16),
  anchor(77.2, 28.63, null, 900, 24),
  anchor(88.36, 22.57, null, 90, 16),
  anchor(55.3, 25.22, 320, 8, 16),
  anchor(31.24, 30.05, null, 160, 20),
  anchor(28.98, 41.03, 180, 8, 20),
  anchor(37.62, 55.75, null, 600, 22),
  anchor(30.32, 59.93, 270, 9, 15),
  anchor(14.43, 50.08, null, 500, 10),
  anchor(14.51, 46.05, null, 80, 6),
  anchor(16.37, 48.2, null, 400, 12),
  anchor(13.4, 52.52, null, 170, 16),
  anchor(9.99, 53.55, null, 80, 12),
  anchor(4.4, 51.95, 300, 18, 12),
  anchor(2.35, 48.86, null, 170, 18),
  anchor(-0.12, 51.5, null, 60, 20),
  anchor(-3.7, 40.42, null, 300, 14),
  anchor(2.17, 41.4, 130, 6, 10),
  anchor(12.5, 41.9, 230, 24, 12),
  anchor(14.27, 40.85, 200, 6, 10),
  anchor(23.73, 37.98, 215, 9, 12),
  anchor(-9.14, 38.73, 240, 14, 11),
  anchor(18.95, 69.65, 330, 8, 4),
  anchor(10.75, 59.91, 200, 7, 8),
  anchor(18.06, 59.33, 90, 12, 9),
  anchor(9.45, 0.39, 270, 6, 6),
  anchor(3.38, 6.5, 180, 10, 18),
  anchor(36.82, -1.29, null, 440, 11),
  anchor(18.45, -33.93, 320, 7, 10),
  anchor(28.05, -26.2, null, 480, 18),
  anchor(-46.63, -23.55, null, 55, 25),
  anchor(-43.2, -22.9, 170, 7, 16),
  anchor(-58.4, -34.6, 50, 7, 22),
  anchor(-77.04, -12.06, 250, 8, 16),
  anchor(-99.13, 19.43, null, 280, 22),
  anchor(-118.25, 34.03, 225, 22, 28),
  anchor(-122.42, 37.7, 270, 8, 14),
  anchor(-122.33, 47.6, 270, 6, 12),
  anchor(-87.65, 41.87, 90, 5, 24),
  anchor(-95.37, 29.76, null, 70, 24),
  anchor(-80.2, 25.78, 95, 6, 14),
  anchor(-73.98, 40.72, 150, 14, 28),
  anchor(-79.4, 43.68, 160, 6, 18),
];

/** Tendency to land: 1 inside continents, 0 on the open sea, smooth between. */
export function continent(lonDeg: number, latDeg: number): number {
  const x = (lonDeg + 180) / 10 - 0.5;
  const y = Math.max(0, Math.min(CELLS.length - 1.001, (90 - latDeg) / 10 - 0.5));
  const i = Math.floor(x);
  const j = Math.floor(y);
  const u = smoothStep(0, 1, x - i);
  const v = smoothStep(0, 1, y - j);
  const top = cell(i, j) + (cell(i + 1, j) - cell(i, j)) * u;
  const bottom = cell(i, j + 1) + (cell(i + 1, j + 1) - cell(i, j + 1)) * u;
  return top + (bottom - top) * v;
}

function cell(column: number, row: number): number {
  const line = CELLS[row] ?? "";
  return line[((column % 36) + 36) % 36] === "#" ? 1 : 0;
}

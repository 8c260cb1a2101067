/** A place that tasked satellites image whenever they pass. */
export interface Site {
  readonly lonDeg: number;
  readonly latDeg: number;
}

/** Rows of longitude and latitude: cities, ports and airports on every continent. */
const PLACES: readonly Site[] = (
  [
    [-122.35, 37.78],
    [-118.25, 33.75],
    [-123.1, 49.28],
    [-99.13, 19.43],
    [-95.2, 29.72],
    [-87.65, 41.88],
    [-84.43, 33.64],
    [-79.9, 9.35],
    [-77.03, -12.05],
    [-74.04, 40.68],
    [-71.06, 42.36],
    [-70.65, -33.45],
    [-66.12, 18.44],
    [-58.37, -34.6],
    [-46.33, -23.95],
    [-43.17, -22.9],
    [-38.52, -3.73],
    [-22.0, 64.05],
    [-17.44, 14.68],
    [-9.14, 38.71],
    [-8.65, 41.17],
    [-5.45, 36.13],
    [-3.7, 40.42],
    [-0.35, 39.45],
    [-0.12, 51.5],
    [2.17, 41.36],
    [2.35, 48.86],
    [3.38, 6.45],
    [4.05, 51.95],
    [4.29, 51.28],
    [7.42, 43.73],
    [9.45, 0.3],
    [9.95, 53.53],
    [10.75, 59.91],
    [12.5, 41.9],
    [13.4, 52.52],
    [14.42, 50.08],
    [16.37, 48.21],
    [18.07, 59.33],
    [18.42, -33.92],
    [18.9, 69.65],
    [19.04, 47.5],
    [21.01, 52.23],
    [23.62, 37.95],
    [24.94, 60.17],
    [28.98, 41.01],
    [29.9, 31.2],
    [30.32, 59.93],
    [30.73, 46.48],
    [31.05, -29.87],
    [32.57, 29.93],
    [34.78, 32.08],
    [36.82, -1.29],
    [37.62, 55.75],
    [39.17, 21.48],
    [39.66, -4.05],
    [46.72, 24.71],
    [51.53, 25.29],
    [55.06, 25.01],
    [67.0, 24.85],
    [72.88, 18.95],
    [77.1, 28.56],
    [79.85, 6.94],
    [88.36, 22.57],
    [91.8, 22.33],
    [96.2, 16.77],
    [100.5, 13.75],
    [103.82, 1.26],
    [106.9, -6.1],
    [106.7, 10.78],
    [114.15, 22.32],
    [115.75, -32.05],
    [116.4, 39.9],
    [120.3, 22.6],
    [120.97, 14.6],
    [121.5, 31.23],
    [122.1, 29.95],
    [129.05, 35.1],
    [131.9, 43.1],
    [135.43, 34.65],
    [138.5, -34.8],
    [139.77, 35.62],
    [144.92, -37.83],
    [151.2, -33.9],
    [153.13, -27.42],
    [174.78, -36.84],
    [178.44, -18.13],
  ] as const
).map(([lonDeg, latDeg]) => ({ lonDeg, latDeg }));

/** Ground that an archive covers whole at every pass, whatever its scenes usually measure. */
export interface CollectionArea extends Site {
  readonly sideKm: number;
  /** Share of the passes whose scene searches find. */
  readonly listedShare: number;
  /** Moments, milliseconds since 1970, whose scenes searches find whatever the share. */
  readonly promisedMs: ReadonlySet<number>;
}

/** Cloud-free scenes of half a metre or finer that the documentation promises: in January, April and May 2018. */
const PROMISED = [
  "2018-01-01T23:49:39Z",
  "2018-01-11T00:08:14Z",
  "2018-01-28T00:04:03Z",
  "2018-04-08T23:54:35Z",
  "2018-04-19T00:12:25Z",
  "2018-05-01T23:49:39Z",
  "2018-05-12T00:12:25Z",
];

/** The demonstration area, longitude 153.0313 to 153.2346 and latitude -27.5107 to -27.3279, with a margin. */
export const DEMONSTRATION_AREA: CollectionArea = {
  lonDeg: 153.133,
  latDeg: -27.4193,
  sideKm: 29,
  listedShare: 0.02,
  promisedMs: new Set(PROMISED.map((time) => Date.parse(time))),
};

export const SITES: readonly Site[] = PLACES;

/** What decides every pixel of a simulated scene. Equal options give equal scenes. */
export interface SimulationOptions {
  /** Any integer. */
  readonly seed: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Metres per pixel, 0.3 to 30. */
  readonly resolutionM: number;
  /** UTC; decides the sun and how far the crops have grown. */
  readonly time?: Date;
  /** A UTM zone on WGS84: 32601 to 32660 or 32701 to 32760. */
  readonly epsg?: number;
  /** CRS coordinates of the outer corner of the top-left pixel. */
  readonly originX?: number;
  readonly originY?: number;
  /** 0 for a clear sky, 1 for an overcast one. */
  readonly cloudiness?: number;
}

export type CompleteOptions = Required<SimulationOptions>;

/** Defaults filled in. @throws {RangeError} if a value is outside its range */
export function completeOptions(options: SimulationOptions): CompleteOptions {
  const complete: CompleteOptions = {
    time: new Date("2026-06-03T11:24:36Z"),
    epsg: 32629,
    originX: 534_000,
    originY: 4_572_000,
    cloudiness: 0.3,
    ...options,
  };
  for (const side of [complete.widthPx, complete.heightPx]) {
    if (!Number.isInteger(side) || side < 16 || side > 65_536) {
      throw new RangeError(`scene sides must be integers from 16 to 65536 pixels, got ${side}`);
    }
  }
  if (!(complete.resolutionM >= 0.3 && complete.resolutionM <= 30)) {
    throw new RangeError(`resolutionM must be from 0.3 to 30, got ${complete.resolutionM}`);
  }
  const zone = complete.epsg % 100;
  if (![326, 327].includes(Math.floor(complete.epsg / 100)) || zone < 1 || zone > 60) {
    throw new RangeError(`epsg must be a WGS84 UTM zone (32601 to 32660 or 32701 to 32760), got ${complete.epsg}`);
  }
  if (!(complete.cloudiness >= 0 && complete.cloudiness <= 1)) {
    throw new RangeError(`cloudiness must be from 0 to 1, got ${complete.cloudiness}`);
  }
  return complete;
}

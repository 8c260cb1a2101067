import type { MultiPolygon } from "../geometry/geojson.ts";
import type { Acquisition } from "./acquisition.ts";
import type { DatetimeSource } from "./datetime-source.ts";

/** One captured band as the interface document defines it ("Band object"). */
export interface Band {
  /** Aliases, the long name first: `["Red", "red", "r"]`. */
  readonly names: readonly string[];
  readonly bitDepth: number;
  /** Ground sampling distance in metres. */
  readonly gsd: number;
  /** CRS units per pixel; `pixelSizeY` is negative for a north-up image. */
  readonly pixelSizeX: number;
  readonly pixelSizeY: number;
  /** CRS coordinates of the outer corner of the top-left pixel. */
  readonly crsOriginX: number;
  readonly crsOriginY: number;
  /** Metres on the ground per pixel, two decimals. */
  readonly approximateResolutionX: number;
  readonly approximateResolutionY: number;
  readonly radianceMult?: number;
  readonly radianceAdd?: number;
  /** `reflectanceMult * P + reflectanceAdd` is top-of-atmosphere reflectance before division by sin(sunElevation). */
  readonly reflectanceMult?: number;
  readonly reflectanceAdd?: number;
}

/** Image metadata as the interface document defines it ("Scene"). */
export interface Scene extends Acquisition {
  readonly sceneId: string;
  readonly foreignId: string;
  readonly provider: string;
  readonly dataset: string;
  readonly satellite: string;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly datetime: string;
  /** Uploaded scenes only; `unknown` where `datetime` is the time of ingest. */
  readonly datetimeSource?: DatetimeSource;
  /** Uploaded scenes only: the sensor whose table named the bands. */
  readonly sensor?: string;
  readonly localDatetime?: string;
  /** 0 when the CRS is user-defined and has no EPSG code. */
  readonly crsEpsg: number;
  /** Valid pixels only, seven decimals, split at the antimeridian, exteriors clockwise in answers. */
  readonly footprint: MultiPolygon;
  readonly areaKm2: number;
  readonly localTime?: string;
  readonly bands: readonly Band[];
}

import type { BandRole } from "@swath/kernel/bands/band-role";
import type { Acquisition } from "@swath/kernel/scenes/acquisition";
import type { DatetimeSource } from "@swath/kernel/scenes/datetime-source";
import type { BandQuantity } from "@swath/kernel/scenes/stored-raster";

/**
 * Metadata of one band. `raster` and `band` locate its pixels: an index into the rasters of the upload and an index into
 * `SourceRaster.bands`.
 */
export interface BandMetadata {
  readonly raster: number;
  readonly band: number;
  /** Aliases, the long name first: `["Red", "red", "r", "B04"]`. At least one. */
  readonly names: readonly string[];
  readonly role: BandRole | null;
  readonly wavelengthNm: number | null;
  readonly quantity: BandQuantity;
  readonly radianceMult?: number;
  readonly radianceAdd?: number;
  /** As `Band.reflectanceMult` of the scene: users of it divide by sin(sunElevation) when the elevation is known. */
  readonly reflectanceMult?: number;
  readonly reflectanceAdd?: number;
  /** Nominal ground sampling distance in metres where something states it. */
  readonly gsdM: number | null;
  /** Pixel value that means "no data", from the document or else from the file; NaN possible. */
  readonly nodata: number | null;
}

/** A member of a document that is not understood. */
export interface UnreadMember {
  /** Path in the document, such as `bands[0].rol`. */
  readonly path: string;
  /** The member that was probably meant; null for none. */
  readonly didYouMean: string | null;
}

/** Metadata of the scene that an upload holds, with the names of the interface's scene object. */
export interface SceneMetadata extends Acquisition {
  readonly foreignId: string | null;
  /** "unknown" when nothing tells. */
  readonly satellite: string;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly datetime: string;
  readonly datetimeSource: DatetimeSource;
  /** Identifier of the sensor whose table named the bands; absent for none. */
  readonly sensor?: string;
  /** Members of a document that nothing reads, and a sensor that has no table. */
  readonly unread?: readonly UnreadMember[];
  /** In the order in which the scene lists them. */
  readonly bands: readonly BandMetadata[];
}

/** One band as a document describes it; whatever it leaves out is taken from the file. */
export interface DocumentBand {
  /** File the band is in, by its name; null for the only file or by order. */
  readonly file: string | null;
  /** Zero-based index in that file; null for the next. */
  readonly index: number | null;
  /** Name in the sensor's own numbering or free text, such as "B04" or "red". */
  readonly id: string | null;
  readonly names: readonly string[] | null;
  readonly role: BandRole | null;
  readonly wavelengthNm: number | null;
  readonly quantity: BandQuantity | null;
  readonly gsdM: number | null;
  readonly nodata: number | null;
  readonly radianceMult: number | null;
  readonly radianceAdd: number | null;
  readonly reflectanceMult: number | null;
  readonly reflectanceAdd: number | null;
  /** Whether the reflectance is already divided by the sine of the sun's elevation. */
  readonly sunCorrected: boolean;
}

/** A scene description of any format, reduced to the members for ingest. */
export interface SceneDocument {
  /** Sensor whose band table applies, such as "sentinel-2". */
  readonly sensor: string | null;
  readonly fields: Readonly<Partial<Omit<SceneMetadata, "bands" | "datetimeSource" | "sensor" | "unread">>>;
  /** Null when the document does not describe bands; an entry null leaves that band out of the scene. */
  readonly bands: readonly (DocumentBand | null)[] | null;
  /** Whether `bands` lists exactly the bands of the scene; otherwise files it does not mention are bands too. */
  readonly complete: boolean;
  /** Members that are not understood; absent where all are, and for formats with members for others. */
  readonly unread?: readonly UnreadMember[];
}

export const EMPTY_BAND: DocumentBand = {
  file: null,
  index: null,
  id: null,
  names: null,
  role: null,
  wavelengthNm: null,
  quantity: null,
  gsdM: null,
  nodata: null,
  radianceMult: null,
  radianceAdd: null,
  reflectanceMult: null,
  reflectanceAdd: null,
  sunCorrected: false,
};

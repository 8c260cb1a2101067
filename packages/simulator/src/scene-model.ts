import type { BandRole } from "@swath/kernel/bands/band-role";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StateVector } from "@swath/kernel/orbits/state-vector";
import type { BandQuantity, DataType } from "@swath/kernel/scenes/stored-raster";

/** A band of a simulated sensor. */
export interface ModelBand {
  /** Long name first. */
  readonly names: readonly string[];
  readonly role: BandRole | null;
  readonly wavelengthNm: number | null;
  readonly quantity: BandQuantity;
  readonly dataType: DataType;
  readonly bitDepth: number;
  readonly gsdM: number;
  /** Pixel value = (physical - offset) / scale; physical is reflectance divided by the sine of the sun's elevation, linear power, or the unit of `meaning`. */
  readonly scale: number;
  readonly offset: number;
  /**
   * The quantity of a band that is neither reflectance nor backscatter: "precipitation-mm-per-h", "methane-ppb",
   * "night-lights-nw-per-cm2-sr", "cloud-free-observations", "brightness-temperature-kelvin", "label:dynamic-world",
   * and "probability:" with water, trees, grass, flooded_vegetation, crops, shrub_and_scrub, built, bare, snow_and_ice.
   */
  readonly meaning: string | null;
  /** Of the sun outside of the atmosphere, W m^-2 um^-1, where the product states radiance; else null. */
  readonly irradiance: number | null;
  /** North-up grid of the band in the scene's CRS. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly originX: number;
  readonly originY: number;
  readonly pixelSizeX: number;
  readonly pixelSizeY: number;
}

/** Statements of a provider about the quality of a scene, in the names of the interface. */
export interface SceneQuality {
  /** Share of pixels with quality issues, 0 to 1. */
  readonly anomalousRatio: number;
  /** Whether the scene meets the standard of the provider. */
  readonly sensorQualityFlag: boolean;
  /** Whether control points on the ground hold the scene in place. */
  readonly groundControlFlag: boolean;
}

/**
 * Everything that decides the pixels of a simulated scene: made from its identifier alone, by the constellation, and
 * drawn by the world. Equal models give equal pixels.
 */
export interface SceneModel {
  readonly sceneId: string;
  readonly provider: string;
  readonly dataset: string;
  readonly datasetType: "optical" | "sar-grd" | "sar-slc" | "probabilities" | "environmental";
  readonly satellite: string;
  readonly acquiredAtMs: number;
  /** A WGS84 UTM zone, or 4326 for environmental rasters. */
  readonly crsEpsg: number;
  /** Imaged ground; pixels outside are nodata (0, or NaN for floats). */
  readonly footprint: MultiPolygon;
  readonly sunElevationDeg: number;
  readonly sunAzimuthDeg: number;
  readonly offNadirDeg: number;
  /** From the target to the satellite, clockwise from north. */
  readonly satelliteAzimuthDeg: number;
  /** Radar only, else null. */
  readonly incidenceDeg: number | null;
  readonly lookSide: "left" | "right" | null;
  readonly orbitPass: "ascending" | "descending";
  readonly relativeOrbit: number;
  readonly mode: string | null;
  /** Position of the scene along its orbit, radar only, else null. */
  readonly sliceNumber: number | null;
  /** Looks of a detected radar image, else null. */
  readonly looks: number | null;
  /** Every ten seconds around the acquisition, complex radar only, else empty. */
  readonly stateVectors: readonly StateVector[];
  readonly polarisations: readonly ("VV" | "VH" | "HH" | "HV")[];
  /** Null where the provider says nothing of it. */
  readonly quality: SceneQuality | null;
  readonly bands: readonly ModelBand[];
}

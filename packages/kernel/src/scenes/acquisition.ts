/** How an image was taken, as far as its provider tells; names of the interface's scene object, angles in degrees. */
export interface Acquisition {
  readonly offNadir?: number;
  readonly sunElevation?: number;
  readonly sunAzimuth?: number;
  /** Ratio 0 to 1. */
  readonly cloudCover?: number;
  readonly satelliteAzimuth?: number;
  readonly anomalousRatio?: number;
  readonly mode?: string;
  readonly orbitPass?: "ascending" | "descending";
  readonly sensorQualityFlag?: boolean;
  readonly groundControlFlag?: boolean;
  readonly lookSide?: "left" | "right";
  readonly relativeOrbitNumberStart?: number;
  readonly relativeOrbitNumberStop?: number;
  readonly sliceNumber?: number;
  readonly looks?: number;
}

import { centroid } from "@swath/kernel/geometry/centroid";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import { DEGREE } from "@swath/kernel/geometry/wgs84";
import { propagatorOfElements, type MeanElements } from "@swath/kernel/orbits/sgp4";
import { sunPosition } from "@swath/kernel/orbits/sun";
import { targetGeometry } from "@swath/kernel/orbits/target-geometry";
import type { SceneModel } from "../scene-model.ts";
import { PRODUCTS, type Product } from "./products.ts";
import { placeBands, snappedBounds, utmEpsgAt } from "./scene-grid.ts";

/** A capture that somebody ordered. */
export interface TaskedCapture {
  readonly sceneId: string;
  readonly provider: string;
  readonly dataset: string;
  /** Name of the satellite, and its orbit at that time. */
  readonly satellite: string;
  readonly elements: MeanElements;
  readonly acquiredAtMs: number;
  /** Imaged ground in normal form. */
  readonly footprint: MultiPolygon;
  readonly mode: string;
}

/** Below it the sun's sine would blow up what is divided by it. */
const MIN_SIN_SUN = Math.sin(5 * DEGREE);
const RESOLUTION_STEP_M = 0.5;

/** The product of a dataset that satellites can be tasked for; null for any other dataset. */
function taskedProduct(provider: string, dataset: string): Product | null {
  return PRODUCTS.find((one) => one.provider === provider && one.dataset === dataset) ?? null;
}

/**
 * The scene of an ordered capture.
 *
 * @param maxPixels most pixels of a band; a larger area is drawn more coarsely, in steps of half a metre
 * @throws {RangeError} when the constellation does not have the dataset
 */
export function taskedModel(capture: TaskedCapture, maxPixels: number): SceneModel {
  const { provider, dataset, satellite, acquiredAtMs, footprint } = capture;
  const product = taskedProduct(provider, dataset);
  if (product === null) throw new RangeError(`the simulated constellation does not have ${dataset} of ${provider}`);
  const [lonDeg, latDeg] = centroid(footprint);
  const view = targetGeometry(propagatorOfElements(capture.elements)(acquiredAtMs), lonDeg, latDeg);
  const sun = sunPosition(acquiredAtMs, lonDeg, latDeg);
  const isRadar = product.polarisations.length > 0;
  const crsEpsg = utmEpsgAt(lonDeg, latDeg);
  const sine = Math.max(Math.sin(sun.elevationDeg * DEGREE), MIN_SIN_SUN);
  const outline = boxOutline(footprint);
  const native = product.bandsOf(product.plan.satellites[0]?.code ?? "");
  const gsdM = sampling(Math.min(...native.map((band) => band.gsdM)), crsEpsg, outline, maxPixels);
  const bands = native.map((band) => ({ ...band, gsdM: Math.max(band.gsdM, gsdM) }));
  return {
    sceneId: capture.sceneId,
    provider,
    dataset,
    datasetType: product.type,
    satellite,
    acquiredAtMs: Math.floor(acquiredAtMs / 1000) * 1000,
    crsEpsg,
    footprint,
    sunElevationDeg: sun.elevationDeg,
    sunAzimuthDeg: sun.azimuthDeg,
    offNadirDeg: view.offNadirDeg,
    satelliteAzimuthDeg: view.azimuthDeg,
    incidenceDeg: isRadar ? view.incidenceDeg : null,
    lookSide: isRadar ? view.lookSide : null,
    orbitPass: view.pass,
    relativeOrbit: 1,
    mode: isRadar ? capture.mode : product.mode,
    sliceNumber: isRadar ? 1 : null,
    looks: product.looks,
    stateVectors: [],
    polarisations: product.polarisations,
    quality: null,
    bands: placeBands(bands, snappedBounds(crsEpsg, outline, gsdM), sine),
  };
}

/** The finest sampling of at most so many pixels. */
function sampling(nativeM: number, epsg: number, outline: readonly number[], maxPixels: number): number {
  const [west, south, east, north] = snappedBounds(epsg, outline, 1);
  const coarsestM = Math.sqrt(((east - west) * (north - south)) / maxPixels);
  return coarsestM <= nativeM ? nativeM : Math.ceil(coarsestM / RESOLUTION_STEP_M) * RESOLUTION_STEP_M;
}

/** Corners and middles of the sides of the box around an area. */
function boxOutline(area: MultiPolygon): readonly number[] {
  const [west, south, east, north] = mbr(area);
  const [lon, lat] = [(west + east) / 2, (south + north) / 2];
  return [west, south, lon, south, east, south, east, lat, east, north, lon, north, west, north, west, lat];
}

import type { StateVector } from "@swath/kernel/orbits/state-vector";
import { multiPolygonAreaKm2 } from "@swath/kernel/geometry/area";
import { normalForm } from "@swath/kernel/geometry/antimeridian";
import { clockwiseExteriors } from "@swath/kernel/geometry/canonical";
import { unionAll } from "@swath/kernel/geometry/clip";
import { convexHull } from "@swath/kernel/geometry/convex-hull";
import type { MultiPolygon, PolygonCoordinates } from "@swath/kernel/geometry/geojson";
import type { Band } from "@swath/kernel/scenes/scene";
import { RasterError } from "../raster-error.ts";
import { formatSceneTime } from "./acquisition-time.ts";
import type { SceneMetadata } from "./scene-metadata.ts";
import { readSentinel1Annotation, type GridPoint, type Sentinel1Annotation } from "./sentinel1-annotation.ts";
import { readSentinel1Manifest, type Sentinel1Manifest } from "./sentinel1-manifest.ts";

/** A complex Sentinel-1 product by its documents; its pixels, in the geometry of the radar, are not read. */
export interface Sentinel1Product {
  readonly metadata: SceneMetadata;
  readonly footprint: MultiPolygon;
  /** One for each polarisation. */
  readonly bands: readonly Band[];
  readonly stateVectors: readonly StateVector[];
}

/** A document of a product. */
export interface ProductDocument {
  readonly name: string;
  readonly text: string;
}

/**
 * Combines the manifest and the annotations of one complex product.
 *
 * @param productName name of the SAFE folder without its suffix, null when the archive has none
 * @throws {RasterError} bad-document when a document cannot be read or they do not belong together
 */
export function readSentinel1Product(
  productName: string | null,
  manifest: ProductDocument | null,
  documents: readonly ProductDocument[],
): Sentinel1Product {
  const annotations = documents.map((document) => readSentinel1Annotation(document.text, document.name));
  const [first] = annotations;
  if (first === undefined) throw new RasterError("bad-document", "the product has no annotation");
  for (const [index, one] of annotations.entries()) {
    const apartMs = Math.abs(one.startMs - first.startMs);
    if (one.mission !== first.mission || one.mode !== first.mode || apartMs > MAX_SWATH_DELAY_MS) {
      throw new RasterError("bad-document", `${documents[index]?.name ?? "an annotation"} is of another product`);
    }
  }
  const stated = manifest === null ? null : readSentinel1Manifest(manifest.text, manifest.name);
  const startMs = stated?.startMs ?? Math.min(...annotations.map((one) => one.startMs));
  return {
    metadata: {
      foreignId: productName,
      satellite: stated?.satellite ?? first.mission.replace(/^S1/, "Sentinel-1"),
      datetime: formatSceneTime(new Date(startMs)),
      datetimeSource: "document",
      mode: stated?.mode ?? first.mode,
      orbitPass: stated?.orbitPass ?? first.orbitPass,
      // The antenna of every Sentinel-1 looks to the right.
      lookSide: "right",
      ...orbitNumbers(stated, first),
      ...sliceNumber(stated, first),
      bands: [],
    },
    footprint: footprintOf(annotations),
    bands: bandsOf(annotations),
    stateVectors: annotations.reduce(
      (most, { stateVectors }) => (stateVectors.length > most.length ? stateVectors : most),
      first.stateVectors,
    ),
  };
}

/** Swaths of one product begin within a burst cycle of each other. */
const MAX_SWATH_DELAY_MS = 10_000;

function orbitNumbers(stated: Sentinel1Manifest | null, annotation: Sentinel1Annotation): Partial<SceneMetadata> {
  const start = stated?.relativeOrbitStart ?? annotation.relativeOrbit;
  const stop = stated?.relativeOrbitStop ?? start;
  return start === null || stop === null ? {} : { relativeOrbitNumberStart: start, relativeOrbitNumberStop: stop };
}

function sliceNumber(stated: Sentinel1Manifest | null, annotation: Sentinel1Annotation): Partial<SceneMetadata> {
  const slice = stated?.sliceNumber ?? annotation.sliceNumber;
  return slice === null ? {} : { sliceNumber: slice };
}

/** The ground under the geolocation grids: the hull of each swath, joined. */
function footprintOf(annotations: readonly Sentinel1Annotation[]): MultiPolygon {
  const bySwath = new Map(annotations.map((one) => [one.swath, one.grid]));
  const hulls = [...bySwath.values()].flatMap(hullOf);
  const joined = hulls.length === 0 ? null : unionAll(normalForm(hulls));
  if (joined === null || !(multiPolygonAreaKm2(joined.coordinates) > 0)) {
    throw new RasterError("bad-document", "the annotation has no geolocation grid with an area");
  }
  return clockwiseExteriors(joined);
}

function hullOf(grid: readonly GridPoint[]): PolygonCoordinates[] {
  const [first] = grid;
  if (first === undefined) return [];
  // A swath is narrow: a point more than half the world away lies on the other side of the antimeridian.
  const hull = convexHull(
    grid.map(({ lonDeg, latDeg }): readonly [number, number] => [
      lonDeg + 360 * Math.round((first.lonDeg - lonDeg) / 360),
      latDeg,
    ]),
  );
  const start = hull[0];
  return start === undefined || hull.length < 3 ? [] : [[[...hull, start]]];
}

function bandsOf(annotations: readonly Sentinel1Annotation[]): readonly Band[] {
  const byPolarisation = new Map<string, Sentinel1Annotation>();
  for (const one of annotations) {
    // The middle swath speaks for all of a polarisation.
    const known = byPolarisation.get(one.polarisation);
    if (known === undefined || one.swath.endsWith("2")) byPolarisation.set(one.polarisation, one);
  }
  return [...byPolarisation].toSorted(copolarisedFirst).map(([polarisation, one]): Band => {
    const middle = one.grid[Math.floor(one.grid.length / 2)];
    const groundM = one.rangeSpacingM / Math.sin(((middle?.incidenceDeg ?? 90) * Math.PI) / 180);
    return {
      names: [polarisation, polarisation.toLowerCase()],
      bitDepth: 16,
      gsd: round2(Math.max(groundM, one.azimuthSpacingM)),
      // In the geometry of the radar: slant range and azimuth from the first pixel on.
      pixelSizeX: one.rangeSpacingM,
      pixelSizeY: one.azimuthSpacingM,
      crsOriginX: 0,
      crsOriginY: 0,
      approximateResolutionX: round2(groundM),
      approximateResolutionY: round2(one.azimuthSpacingM),
    };
  });
}

function crossed(name: string): number {
  return name[0] === name[1] ? 0 : 1;
}

function copolarisedFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return crossed(a) - crossed(b) || a.localeCompare(b);
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

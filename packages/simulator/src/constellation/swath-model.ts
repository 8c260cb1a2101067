import { normalForm } from "@swath/kernel/geometry/antimeridian";
import { roundDegrees } from "@swath/kernel/geometry/canonical-degrees";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { DEGREE } from "@swath/kernel/geometry/wgs84";
import { sunPosition } from "@swath/kernel/orbits/sun";
import { targetGeometry } from "@swath/kernel/orbits/target-geometry";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import type { SceneModel } from "../scene-model.ts";
import { captureName, craftName, frameOf, relativeOrbitOf } from "./capture-name.ts";
import { outlineOf, type Capture } from "./capture.ts";
import { nodeLonDeg } from "./pass.ts";
import type { Product } from "./products.ts";
import { referenceTrack, turned } from "./reference-track.ts";
import { sceneQuality } from "./scene-quality.ts";
import { seamShift } from "./seam-shift.ts";
import { placeBands, snapM, snappedBounds, utmEpsgAt } from "./scene-grid.ts";
import { stateVectorsOf } from "./state-vectors.ts";
import { boundsOfRing } from "./ring.ts";

/** Below it the sun's sine would blow up what is divided by it. */
const MIN_SIN_SUN = Math.sin(5 * DEGREE);

/** The scene that a product makes of a capture. */
export function swathModel(product: Product, capture: Capture): SceneModel {
  const { plan } = product;
  const { satellite, slot, acquiredAtMs } = capture;
  const { pass } = slot;
  const outline = outlineOf(plan, capture);
  const [west, south, east, north] = boundsOfRing(outline);
  const lonDeg = (west + east) / 2;
  const latDeg = (south + north) / 2;
  const state = turned(
    referenceTrack(satellite.orbit)(
      plan.gridOf(satellite).cellMs(slot.row, capture.cell, seamShift(satellite, capture.framing)),
    ),
    nodeLonDeg(satellite, pass),
  );
  const view = targetGeometry({ timeMs: acquiredAtMs, ...state }, lonDeg, latDeg);
  const sun = sunPosition(acquiredAtMs, lonDeg, latDeg);
  const isRadar = product.polarisations.length > 0;
  const crsEpsg = utmEpsgAt(lonDeg, latDeg);
  const bands = product.bandsOf(satellite.code);
  const sine = Math.max(Math.sin(sun.elevationDeg * DEGREE), MIN_SIN_SUN);
  return {
    sceneId: sceneId(product.provider, product.dataset, captureName(plan, capture)),
    provider: product.provider,
    dataset: product.dataset,
    datasetType: product.type,
    satellite: craftName(satellite, pass),
    acquiredAtMs,
    crsEpsg,
    footprint: footprintOf(outline, west, east),
    sunElevationDeg: sun.elevationDeg,
    sunAzimuthDeg: sun.azimuthDeg,
    offNadirDeg: view.offNadirDeg,
    satelliteAzimuthDeg: view.azimuthDeg,
    incidenceDeg: isRadar ? view.incidenceDeg : null,
    lookSide: isRadar ? view.lookSide : null,
    orbitPass: view.pass,
    relativeOrbit: relativeOrbitOf(satellite, pass),
    mode: product.mode,
    sliceNumber: isRadar ? frameOf(plan, capture)[0] + 1 : null,
    looks: product.looks,
    stateVectors: product.type === "sar-slc" ? stateVectorsOf(plan, capture) : [],
    polarisations: product.polarisations,
    quality: product.hasQuality ? sceneQuality(plan, capture) : null,
    bands: placeBands(bands, snappedBounds(crsEpsg, outline, snapM(bands)), sine),
  };
}

/** Seven decimals, closed, counter-clockwise, split at the antimeridian. */
function footprintOf(outline: readonly number[], west: number, east: number): MultiPolygon {
  const ring: (readonly [number, number])[] = [];
  for (let i = 0; i < outline.length; i += 2) {
    ring.push([roundDegrees(outline[i] ?? 0), roundDegrees(outline[i + 1] ?? 0)]);
  }
  const [first] = ring;
  if (first !== undefined) ring.push(first);
  const coordinates = [[ring]];
  if (west >= -180 && east <= 180) return { type: "MultiPolygon", coordinates };
  const split = normalForm(coordinates);
  return {
    type: "MultiPolygon",
    coordinates: split.map((polygon) =>
      polygon.map((part) => part.map(([lon, lat]) => [roundDegrees(lon), roundDegrees(lat)] as const)),
    ),
  };
}

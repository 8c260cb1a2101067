import type { Block, Plane } from "./block.ts";
import type { Canvas } from "./canvas.ts";
import type { ObjectSink } from "./object-sink.ts";
import type { Pen } from "./pen.ts";
import type { Place } from "./places.ts";
import type { View } from "./view.ts";
import { hashUnit } from "../noise.ts";
import { frameOf, onGlobe } from "./block.ts";
import { COVER } from "./canvas.ts";
import { shoreOf } from "./geography.ts";
import { fillGround, fillShape, rectangle, shadeShape, shape, sweep, touches } from "./pen.ts";
import { M } from "./spectra.ts";

/** An airport: the middle of its runway is the origin of its plane. */
interface Airport extends Plane {
  readonly seed: number;
  readonly headingRad: number;
  readonly runwayM: number;
}

/** Places smaller than this have none. */
const FROM_RADIUS_M = 1900;
const FINEST_M = 65;

const known = new Map<number, Airport | null>();

function airportOf(place: Place): Airport | null {
  if (place.radiusM < FROM_RADIUS_M) return null;
  const cached = known.get(place.seed);
  if (cached !== undefined) return cached;
  const airport = findGround(place);
  if (known.size > 5000) known.clear();
  known.set(place.seed, airport);
  return airport;
}

/** The first of twelve directions out of the town where a runway lies on dry land. */
function findGround(place: Place): Airport | null {
  const runwayM = place.radiusM > 5000 ? 3200 : 1900;
  const distance = place.radiusM * 0.72 + 1600;
  const start = Math.floor(12 * hashUnit(place.seed, 1, 800));
  for (let k = 0; k < 12; k += 1) {
    const towards = ((start + k) / 12) * 2 * Math.PI;
    const headingRad = towards + Math.PI / 2 + 0.8 * (hashUnit(place.seed, 2, 800) - 0.5);
    const x = Math.sin(towards) * distance;
    const y = Math.cos(towards) * distance;
    const dry = [-0.7, 0, 0.7].every((part) => {
      const [lonDeg, latDeg] = onGlobe(
        place,
        x + Math.sin(headingRad) * runwayM * part,
        y + Math.cos(headingRad) * runwayM * part,
      );
      return shoreOf(lonDeg, latDeg) > 900;
    });
    if (!dry) continue;
    const [lonDeg, latDeg] = onGlobe(place, x, y);
    return { lonDeg, latDeg, headingRad, runwayM, seed: place.seed };
  }
  return null;
}

/** Paints runway, taxiways, apron, terminal and the aircraft that stand there at the time. */
export function paintAirport(canvas: Canvas, block: Block, place: Place, view: View, sink: ObjectSink | null): void {
  if (block.pixelM > FINEST_M) return;
  const airport = airportOf(place);
  if (airport === null) return;
  const frame = frameOf(block, airport);
  if (!touches(frame, 0, 0, airport.runwayM)) return;
  const pen: Pen = { canvas, block, frame };
  canvas.over = "all";
  const { headingRad, runwayM } = airport;
  const big = runwayM > 2500;
  const bar = (ahead: number, right: number, along: number, across: number): void => {
    rectangle(
      Math.sin(headingRad) * ahead + Math.cos(headingRad) * right,
      Math.cos(headingRad) * ahead - Math.sin(headingRad) * right,
      headingRad,
      along,
      across,
    );
  };
  bar(0, 260, runwayM + 500, 1000);
  fillGround(pen, 4, M.grass, 0.95, 1, COVER.grass);
  bar(0, 0, runwayM, big ? 46 : 30);
  fillGround(pen, 4, M.asphalt, 0.9, 1, COVER.road);
  bar(0, 190, runwayM * 0.96, 24);
  fillGround(pen, 4, M.asphalt, 1.1, 1, COVER.road);
  for (const part of [-0.47, -0.22, 0.2, 0.47]) {
    bar(part * runwayM, 95, 24, 190);
    fillGround(pen, 4, M.asphalt, 1.1, 1, COVER.road);
  }
  const apronM = big ? 1300 : 420;
  bar(0, 330, apronM, 260);
  fillGround(pen, 4, M.apron, 1, 1, COVER.built);
  if (block.pixelM < 4) paintMarks(pen, bar, runwayM);
  paintTerminal(pen, bar, apronM, view);
  paintAircraft(pen, airport, apronM, view, sink);
}

type Bar = (ahead: number, right: number, along: number, across: number) => void;

function paintMarks(pen: Pen, bar: Bar, runwayM: number): void {
  for (let ahead = -runwayM / 2 + 140; ahead < runwayM / 2 - 140; ahead += 60) {
    bar(ahead, 0, 30, 0.9);
    fillShape(pen, 4, M.paint, 1, 0.9, COVER.none);
  }
  for (const end of [-1, 1]) {
    for (let piano = -5; piano <= 5; piano += 2) {
      bar(end * (runwayM / 2 - 25), piano * 1.9, 30, 1.8);
      fillShape(pen, 4, M.paint, 1, 0.9, COVER.none);
    }
    bar(end * (runwayM / 2 - 300), 8, 45, 6);
    fillShape(pen, 4, M.paint, 1, 0.8, COVER.none);
    bar(end * (runwayM / 2 - 300), -8, 45, 6);
    fillShape(pen, 4, M.paint, 1, 0.8, COVER.none);
  }
}

function paintTerminal(pen: Pen, bar: Bar, apronM: number, view: View): void {
  const azimuth = ((view.radar ? view.satelliteAzimuthDeg : view.sunAzimuthDeg) * Math.PI) / 180;
  const run = view.radar ? 18 : 16 / Math.tan((Math.max(15, view.sunElevationDeg) * Math.PI) / 180);
  for (const [ahead, right, along, across] of [
    [0, 500, apronM * 0.62, 60],
    [apronM * 0.42, 490, 120, 70],
    [-apronM * 0.42, 490, 100, 80],
  ] as const) {
    bar(ahead, right, along, across);
    shadeShape(pen, sweep(-Math.sin(azimuth) * run, -Math.cos(azimuth) * run), view.radar ? 0.3 : 0.45);
    bar(ahead, right, along, across);
    fillShape(pen, 4, ahead === 0 ? M.roofWhite : M.roofGrey, 0.9, 1, COVER.built);
  }
}

function paintAircraft(pen: Pen, airport: Airport, apronM: number, view: View, sink: ObjectSink | null): void {
  const { headingRad, runwayM, seed } = airport;
  const shift = Math.floor(view.timeMs / 5_400_000) % 1_000_000;
  const stands = Math.floor(apronM / 62);
  for (let stand = 0; stand < stands; stand += 1) {
    if (hashUnit(seed + stand, shift, 810) > 0.62) continue;
    const size = hashUnit(seed + stand, shift, 811);
    const lengthM = runwayM > 2500 ? 30 + 40 * size * size : 12 + 26 * size;
    const ahead = -apronM / 2 + (stand + 0.5) * 62;
    // Noses point at the terminal.
    drawAircraft(
      pen,
      airport,
      ahead,
      420 - lengthM / 2,
      headingRad + Math.PI / 2 + 0.06 * (size - 0.5),
      lengthM,
      0,
      view,
      sink,
    );
  }
  if (hashUnit(seed, shift, 812) < 0.5) {
    const ahead = (hashUnit(seed, shift, 813) - 0.5) * runwayM * 0.8;
    drawAircraft(pen, airport, ahead, 0, headingRad, 38, 55, view, sink);
  }
  if (hashUnit(seed, shift, 814) < 0.6) {
    const ahead = (hashUnit(seed, shift, 815) - 0.5) * runwayM * 0.8;
    drawAircraft(pen, airport, ahead, 190, headingRad + Math.PI, 44, 8, view, sink);
  }
}

/** An aircraft of a length: fuselage, swept wings, tail and engines, with its shadow. */
function drawAircraft(
  pen: Pen,
  airport: Airport,
  ahead: number,
  right: number,
  noseRad: number,
  lengthM: number,
  speedMs: number,
  view: View,
  sink: ObjectSink | null,
): void {
  const { headingRad } = airport;
  const x = Math.sin(headingRad) * ahead + Math.cos(headingRad) * right;
  const y = Math.cos(headingRad) * ahead - Math.sin(headingRad) * right;
  if (!touches(pen.frame, x, y, lengthM)) return;
  const azimuth = ((view.radar ? view.satelliteAzimuthDeg : view.sunAzimuthDeg) * Math.PI) / 180;
  const run = lengthM * 0.09 * (view.radar ? 1 : 1 / Math.tan((Math.max(18, view.sunElevationDeg) * Math.PI) / 180));
  for (let turn = 0; turn < 2; turn += 1) {
    const shadow = turn === 0;
    const ox = shadow ? -Math.sin(azimuth) * run : 0;
    const oy = shadow ? -Math.cos(azimuth) * run : 0;
    for (const part of PARTS) {
      const count = part.length / 2;
      for (let k = 0; k < count; k += 1) {
        const forward = part[2 * k]! * lengthM;
        const aside = part[2 * k + 1]! * lengthM;
        shape[2 * k] = x + ox + Math.sin(noseRad) * forward + Math.cos(noseRad) * aside;
        shape[2 * k + 1] = y + oy + Math.cos(noseRad) * forward - Math.sin(noseRad) * aside;
      }
      if (shadow) shadeShape(pen, count, 0.5);
      else fillShape(pen, count, M.wingWhite, part === FUSELAGE ? 1 : 0.82, 1, COVER.built);
    }
  }
  sink?.({ kind: "aircraft", plane: airport, x, y, lengthM, widthM: lengthM * 0.94, headingRad: noseRad, speedMs });
}

/** Outlines in parts of the length, forward and to the right of the middle. */
const FUSELAGE = [
  0.5, 0, 0.46, 0.035, 0.36, 0.052, -0.3, 0.048, -0.5, 0.012, -0.5, -0.012, -0.3, -0.048, 0.36, -0.052, 0.46, -0.035,
];
const mirrored = (part: readonly number[]): readonly number[] =>
  part.map((value, index) => (index % 2 === 1 ? -value : value));
const WING = [0.14, 0.04, -0.1, 0.47, -0.15, 0.47, -0.08, 0.04];
const TAIL = [-0.36, 0.02, -0.46, 0.18, -0.5, 0.18, -0.47, 0.02];
const ENGINE = [0.12, 0.14, 0.12, 0.19, 0, 0.19, 0, 0.14];
const PARTS: readonly (readonly number[])[] = [
  WING,
  mirrored(WING),
  TAIL,
  mirrored(TAIL),
  ENGINE,
  mirrored(ENGINE),
  FUSELAGE,
];

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
import { paintVessel, shipSize } from "./vessel.ts";

/** A harbour: its plane's origin is on the shore. */
interface Harbour extends Plane {
  readonly seed: number;
  /** Direction of the open sea. */
  readonly seaRad: number;
  /** Length of the quay along the shore. */
  readonly quayM: number;
}

const FROM_RADIUS_M = 1300;
const FINEST_M = 65;
/** How far the quay stands out into the sea. */
const OUT_M = 360;

const known = new Map<number, Harbour | null>();

function harbourOf(place: Place): Harbour | null {
  if (place.radiusM < FROM_RADIUS_M) return null;
  const cached = known.get(place.seed);
  if (cached !== undefined) return cached;
  const harbour = findShore(place);
  if (known.size > 5000) known.clear();
  known.set(place.seed, harbour);
  return harbour;
}

/** Where the sea is first met, looking out of the town in twelve directions. */
function findShore(place: Place): Harbour | null {
  const reachM = place.radiusM * 1.25;
  let best: Harbour | null = null;
  let nearest = Infinity;
  for (let k = 0; k < 12; k += 1) {
    const seaRad = (k / 12) * 2 * Math.PI;
    for (let distance = 400; distance < Math.min(reachM, nearest); distance += 400) {
      const [lonDeg, latDeg] = onGlobe(place, Math.sin(seaRad) * distance, Math.cos(seaRad) * distance);
      if (shoreOf(lonDeg, latDeg) > 0) continue;
      const [outLon, outLat] = onGlobe(place, Math.sin(seaRad) * (distance + 900), Math.cos(seaRad) * (distance + 900));
      // A lagoon of a few hundred metres is no harbour.
      if (shoreOf(outLon, outLat) > -200) break;
      nearest = distance;
      best = { lonDeg, latDeg, seed: place.seed, seaRad, quayM: place.radiusM > 5000 ? 1700 : 520 };
      break;
    }
  }
  return best;
}

/** Paints a quay on reclaimed land with stacks of containers, cranes and ships alongside. */
export function paintHarbour(canvas: Canvas, block: Block, place: Place, view: View, sink: ObjectSink | null): void {
  if (block.pixelM > FINEST_M) return;
  const harbour = harbourOf(place);
  if (harbour === null) return;
  const frame = frameOf(block, harbour);
  if (!touches(frame, 0, 0, harbour.quayM + OUT_M)) return;
  const pen: Pen = { canvas, block, frame };
  canvas.over = "all";
  const { seaRad, quayM } = harbour;
  /** A rectangle `out` to sea and `aside` along the shore, `deep` across it and `long` along it. */
  const bar = (out: number, aside: number, deep: number, long: number): void =>
    rectangle(
      Math.sin(seaRad) * out + Math.cos(seaRad) * aside,
      Math.cos(seaRad) * out - Math.sin(seaRad) * aside,
      seaRad,
      deep,
      long,
    );
  bar(-60, 0, 2 * OUT_M + 120, quayM);
  fillGround(pen, 4, M.concrete, 0.92, 1, COVER.built);
  bar(-OUT_M + 20, 0, 18, quayM);
  fillGround(pen, 4, M.asphalt, 1, 1, COVER.road);
  if (block.pixelM < 30) paintStacks(pen, harbour, bar, view, sink);
  for (let berth = 0; berth < Math.floor(quayM / 300); berth += 1) {
    const day = Math.floor(view.timeMs / 43_200_000) % 1_000_000;
    if (hashUnit(harbour.seed + berth, day, 921) > 0.72) continue;
    const [lengthM, beamM] = shipSize(0.45 + 0.45 * hashUnit(harbour.seed + berth, day, 922));
    const aside = -quayM / 2 + (berth + 0.5) * 300;
    const out = OUT_M + beamM / 2 + 3;
    const vessel = {
      x: Math.sin(seaRad) * out + Math.cos(seaRad) * aside,
      y: Math.cos(seaRad) * out - Math.sin(seaRad) * aside,
      lengthM: Math.min(280, lengthM),
      beamM,
      headingRad: seaRad + (hashUnit(harbour.seed, berth, 923) < 0.5 ? 1 : -1) * (Math.PI / 2),
      speedMs: 0,
      seed: harbour.seed + berth + day,
    };
    paintVessel(pen, harbour, vessel, view, sink);
  }
}

const STACKS = [M.carRed, M.roofGrey, M.bluePaint, M.roofWhite, M.roofTile, M.carDark] as const;

function paintStacks(
  pen: Pen,
  harbour: Harbour,
  bar: (out: number, aside: number, deep: number, long: number) => void,
  view: View,
  sink: ObjectSink | null,
): void {
  const week = Math.floor(view.day / 4);
  const azimuth = ((view.radar ? view.satelliteAzimuthDeg : view.sunAzimuthDeg) * Math.PI) / 180;
  const run = 9 / Math.tan((Math.max(18, view.sunElevationDeg) * Math.PI) / 180);
  const rows = 11;
  const columns = Math.floor((harbour.quayM - 60) / 34);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const chance = hashUnit(harbour.seed + row * 128 + column, week, 931);
      if (chance > 0.75) continue;
      const out = -OUT_M + 90 + row * 52;
      const aside = -harbour.quayM / 2 + 47 + column * 34;
      bar(out, aside, 24, 28);
      shadeShape(pen, sweep(-Math.sin(azimuth) * run, -Math.cos(azimuth) * run), 0.5);
      bar(out, aside, 24, 28);
      fillShape(pen, 4, STACKS[Math.floor((chance / 0.75) * STACKS.length)]!, view.radar ? 6 : 0.95, 1, COVER.built);
      if (pen.block.pixelM < 4) {
        for (let lane = 0; lane < 8; lane += 1) {
          const tone = hashUnit(harbour.seed + row * 128 + column, week * 8 + lane, 932);
          bar(out, aside - 12.2 + lane * 3.5, 24, 2.6);
          fillShape(pen, 4, STACKS[Math.floor(tone * STACKS.length)]!, view.radar ? 6 : 0.95, 0.85, COVER.none);
        }
      }
      sink?.({
        kind: "container-stack",
        plane: harbour,
        x: (shape[0]! + shape[4]!) / 2,
        y: (shape[1]! + shape[5]!) / 2,
        lengthM: 28,
        widthM: 24,
        headingRad: harbour.seaRad + Math.PI / 2,
        speedMs: 0,
      });
    }
  }
  for (let crane = 0; crane < Math.floor(harbour.quayM / 170); crane += 1) {
    bar(OUT_M - 5, -harbour.quayM / 2 + 90 + crane * 170, 90, 5);
    fillShape(pen, 4, view.radar ? M.metal : M.carRed, view.radar ? 8 : 1, 0.9, COVER.none);
  }
}

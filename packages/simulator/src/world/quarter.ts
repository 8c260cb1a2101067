import type { ObjectSink } from "./object-sink.ts";
import type { Pen } from "./pen.ts";
import type { Place } from "./places.ts";
import type { Quarter } from "./city-block.ts";
import type { View } from "./view.ts";
import { hashUnit } from "../noise.ts";
import { COVER } from "./canvas.ts";
import { fillGround, fillShape, rectangle, shape } from "./pen.ts";
import { building, report } from "./building.ts";
import { M } from "./spectra.ts";
import { paintPool, paintTrees } from "./planting.ts";
import { paintCarPark, paintTraffic } from "./car-park.ts";
import { ground, lot, survey } from "./city-block.ts";

/**
 * Paints a block of a town in two turns: first the ground of all blocks, then what stands on it, so that shadows fall
 * on neighbours too.
 */
export function paintQuarter(
  pen: Pen,
  place: Place,
  quarter: Quarter,
  view: View,
  sink: ObjectSink | null,
  turn: "ground" | "upright",
): void {
  survey(quarter, quarter.halfStreetM);
  const { alongM, acrossM } = ground;
  if (alongM < 25 || acrossM < 25) return;
  const { key, kind } = quarter;
  if (turn === "ground") {
    lot(0, alongM, 0, acrossM);
    fillGround(pen, 4, M.concrete, 0.85, 1, COVER.built);
    lot(2, alongM - 2, 2, acrossM - 2);
    switch (kind) {
      case "carpark":
        fillGround(pen, 4, M.asphalt, 0.95, 1, COVER.built);
        break;
      case "construction":
        break;
      case "dense":
        fillGround(pen, 4, hashUnit(key, 1, 620) < 0.5 ? M.concrete : M.garden, 0.8, 0.9, COVER.built);
        break;
      case "houses":
        fillGround(pen, 4, M.garden, 1, 1, COVER.built);
        break;
      case "industry":
        fillGround(pen, 4, M.concrete, 0.95, 0.8, COVER.built);
        break;
      case "park":
        fillGround(pen, 4, M.grass, 1, 1, COVER.grass);
        break;
    }
    return;
  }
  switch (kind) {
    case "carpark":
      paintCarPark(pen, place, key, view, sink, 5, alongM - 5, 5, acrossM - 5);
      break;
    case "construction":
      paintConstruction(pen, place, key, view, sink);
      break;
    case "dense":
      paintLots(pen, place, key, view, sink, 24, 0.6, 12);
      break;
    case "houses":
      paintLots(pen, place, key, view, sink, 20, 3.6, 4.5);
      break;
    case "industry":
      paintIndustry(pen, place, key, view, sink);
      break;
    case "park":
      paintTrees(pen, place, key, view, sink, 26, 2, alongM - 2, 2, acrossM - 2);
      break;
  }
  paintTraffic(pen, place, key, view, sink);
}

function paintLots(
  pen: Pen,
  place: Place,
  key: number,
  view: View,
  sink: ObjectSink | null,
  sideM: number,
  gapM: number,
  heightM: number,
): void {
  const columns = Math.max(1, Math.round(ground.alongM / sideM));
  const rows = Math.max(2, Math.round(ground.acrossM / (sideM * 1.3)));
  const width = (ground.alongM - 4) / columns;
  const depth = (ground.acrossM - 4) / rows;
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const id = Math.imul(key, 31) + row * 64 + column;
      const chance = hashUnit(id, 1, 621);
      const left = 2 + column * width;
      const near = 2 + row * depth;
      if (chance > 0.93) {
        paintTrees(pen, place, id, view, sink, 3, left, left + width, near, near + depth);
        continue;
      }
      const trimU = gapM + (width - 2 * gapM) * 0.2 * hashUnit(id, 2, 621);
      const trimV = gapM + (depth - 2 * gapM) * 0.3 * hashUnit(id, 3, 621);
      // Houses stand at the street, gardens lie behind.
      const backwards = row >= rows / 2;
      const front = backwards ? trimV : gapM;
      const back = backwards ? gapM : trimV;
      const storeys = 0.6 + 0.9 * hashUnit(id, 4, 621) ** 2;
      building(
        pen,
        place,
        id,
        view,
        sink,
        left + trimU,
        left + width - gapM,
        near + front,
        near + depth - back,
        heightM * storeys,
        gapM > 1,
      );
      if (gapM > 1) {
        if (hashUnit(id, 5, 621) < 0.55)
          paintTrees(
            pen,
            place,
            id,
            view,
            sink,
            2,
            left + 1,
            left + width - 1,
            backwards ? near + 1 : near + depth - 4,
            backwards ? near + 4 : near + depth - 1,
          );
        if (hashUnit(id, 6, 621) < 0.07) {
          paintPool(pen, place, sink, left + 2, backwards ? near + 1.5 : near + depth - 5);
        }
      }
    }
  }
}

function paintIndustry(pen: Pen, place: Place, key: number, view: View, sink: ObjectSink | null): void {
  const { alongM, acrossM } = ground;
  const yard = 16 + 10 * hashUnit(key, 1, 622);
  const halls = hashUnit(key, 2, 622) < 0.5 ? 1 : 2;
  for (let hall = 0; hall < halls; hall += 1) {
    const width = (alongM - 8) / halls;
    building(
      pen,
      place,
      key + hall,
      view,
      sink,
      4 + hall * width,
      (hall + 1) * width,
      4,
      acrossM - yard,
      8 + 5 * hashUnit(key, 3 + hall, 622),
      false,
    );
  }
  paintCarPark(pen, place, key, view, sink, 4, alongM - 4, acrossM - yard + 2, acrossM - 3);
}

/** Days between the first and the last possible start of a building site, from 2013 on, and how long one lasts. */
const FIRST_DAY = 15_706;
const START_DAYS = 6200;

/** How far a building site has come: below 0 before it, 1 and more when the building stands. */
function constructionProgress(key: number, day: number): number {
  const start = FIRST_DAY + START_DAYS * hashUnit(key, 1, 660);
  const lasts = 240 + 420 * hashUnit(key, 2, 660);
  return (day - start) / lasts;
}

function paintConstruction(pen: Pen, place: Place, key: number, view: View, sink: ObjectSink | null): void {
  const { alongM, acrossM } = ground;
  const progress = constructionProgress(key, view.day);
  lot(2, alongM - 2, 2, acrossM - 2);
  if (progress < 0) {
    fillGround(pen, 4, M.grass, 0.95, 1, COVER.grass);
    paintTrees(pen, place, key, view, sink, 8, 4, alongM - 4, 4, acrossM - 4);
    return;
  }
  fillGround(pen, 4, progress < 1 ? M.construction : M.garden, 1, 1, COVER.built);
  if (sink !== null && progress < 1) {
    lot(2, alongM - 2, 2, acrossM - 2);
    report(sink, place, "construction", alongM, acrossM, 0);
  }
  const slabs = 3;
  for (let slab = 0; slab < slabs; slab += 1) {
    const begun = (progress - 0.18 - slab * 0.14) / 0.45;
    if (begun <= 0) continue;
    const width = (alongM - 14) / slabs;
    const u0 = 7 + slab * width;
    if (begun < 0.35) {
      lot(u0, u0 + width - 6, 9, acrossM - 9);
      fillShape(pen, 4, M.concrete, 1.1, 1, COVER.built);
    } else
      building(pen, place, key + slab, view, sink, u0, u0 + width - 6, 9, acrossM - 9, 16 * Math.min(1, begun), false);
  }
  if (progress < 1 && !view.radar) {
    // A crane: its jib and the shadow of its tower.
    const turn = hashUnit(key, Math.floor(view.day), 661) * 6.28;
    lot(alongM / 2, alongM / 2, acrossM / 2, acrossM / 2);
    rectangle(shape[0]! + 12 * Math.sin(turn), shape[1]! + 12 * Math.cos(turn), turn, 44, 1.6);
    fillShape(pen, 4, M.carRed, 1, 0.9, COVER.none);
  }
}

import type { Clouds } from "./clouds.ts";
import type { Landscape } from "./landscape.ts";
import type { Paint } from "./materials.ts";
import { sample } from "./lattice.ts";
import { blend, fill, MATERIALS } from "./materials.ts";
import { hashUnit, noise } from "./noise.ts";

/** A ship afloat: its hull in metres from the scene's corner. */
export interface Ship {
  readonly x: number;
  readonly y: number;
  readonly lengthM: number;
  readonly beamM: number;
  /** Degrees clockwise from grid north. */
  readonly headingDeg: number;
  /** 0 at anchor. */
  readonly speedMs: number;
  readonly style: number;
}

/** Metres from the ship's middle that hull and wake may reach. */
export function reachOfShip(ship: Ship): number {
  return ship.speedMs > 0 ? 9 * ship.lengthM : ship.lengthM;
}

/** Places ships on open water deep enough for their length, apart from each other and clear of clouds. */
export function placeShips(landscape: Landscape, clouds: Clouds): readonly Ship[] {
  const { seed } = landscape.options;
  const areaKm2 = (landscape.widthM * landscape.heightM) / 1e6;
  const wanted = Math.min(500, Math.max(5, Math.round(0.3 * areaKm2)));
  const ships: Ship[] = [];
  for (let i = 0; i < wanted * 40 && ships.length < wanted; i += 1) {
    const roll = (salt: number): number => hashUnit(i, salt, seed + 70);
    const lengthM = 24 + 206 * roll(1) ** 1.6;
    const moving = roll(2) < 0.55;
    const x = (0.03 + 0.94 * roll(3)) * landscape.widthM;
    const y = (0.03 + 0.94 * roll(4)) * landscape.heightM;
    const lane = Math.atan2(landscape.inlandX, -landscape.inlandY) * (180 / Math.PI);
    // Ships under way keep to lanes along the coast; anchored ones swing to the same wind.
    const headingDeg = moving ? 90 + lane + (roll(5) < 0.5 ? 180 : 0) + 40 * (roll(6) - 0.5) : 200 + 25 * roll(6);
    const ship: Ship = {
      x,
      y,
      lengthM,
      beamM: 4 + lengthM * 0.135,
      headingDeg: ((headingDeg % 360) + 360) % 360,
      speedMs: moving ? 4 + 6 * roll(7) : 0,
      style: Math.floor(roll(8) * 4),
    };
    const clear = ships.every((other) => Math.hypot(other.x - x, other.y - y) > 1.2 * (other.lengthM + lengthM));
    if (clear && floats(landscape, ship) && clouds.cover(x, y) < 0.02) ships.push(ship);
  }
  return ships;
}

function floats(landscape: Landscape, ship: Ship): boolean {
  const east = Math.sin((ship.headingDeg * Math.PI) / 180);
  const north = Math.cos((ship.headingDeg * Math.PI) / 180);
  return [-0.6, 0, 0.6].every((part) => {
    const x = ship.x + part * ship.lengthM * east;
    const y = ship.y - part * ship.lengthM * north;
    const inside = x > 0 && y > 0 && x < landscape.widthM && y < landscape.heightM;
    return inside && sample(landscape.lattice, landscape.shore, x, y) < -(45 + 0.5 * ship.lengthM);
  });
}

/** Half the width of the hull at a distance ahead of the middle; negative outside. */
export function hullHalfWidth(ship: Ship, ahead: number): number {
  const half = ship.lengthM / 2;
  if (ahead < -half || ahead > half) return -1;
  const bow = ahead / half;
  const taper = bow > 0.45 ? Math.sqrt(Math.max(0, 1 - ((bow - 0.45) / 0.55) ** 2)) : bow < -0.85 ? 0.88 : 1;
  return (ship.beamM / 2) * taper;
}

/** Lays a ship and its wake over the water at one place; returns whether the hull covers it. */
export function paintShip(landscape: Landscape, ship: Ship, x: number, y: number, paint: Paint): boolean {
  const { seed } = landscape.options;
  const heading = (ship.headingDeg * Math.PI) / 180;
  const dx = x - ship.x;
  const dy = y - ship.y;
  const ahead = dx * Math.sin(heading) - dy * Math.cos(heading);
  const abeam = dx * Math.cos(heading) + dy * Math.sin(heading);
  const halfWidth = hullHalfWidth(ship, ahead);
  if (Math.abs(abeam) <= halfWidth) {
    paintHull(ship, ahead, abeam, halfWidth, seed, paint);
    return true;
  }
  const half = ship.lengthM / 2;
  const shadowAhead =
    ahead - 5 * landscape.shadowRun * -(landscape.sunX * Math.sin(heading) - landscape.sunY * Math.cos(heading));
  const shadowAbeam =
    abeam + 5 * landscape.shadowRun * (landscape.sunX * Math.cos(heading) + landscape.sunY * Math.sin(heading));
  if (Math.abs(shadowAbeam) <= hullHalfWidth(ship, shadowAhead)) {
    for (let band = 0; band < 4; band += 1) paint[band] = paint[band]! * 0.62;
  }
  if (ship.speedMs === 0 || ahead > half) return false;
  const speed = Math.min(1, ship.speedMs / 10);
  const foam = 0.5 + 0.5 * noise(x / 6, y / 6, seed + 71);
  const aft = -half - ahead;
  if (aft > 0) {
    const width = ship.beamM * (0.42 + 0.03 * (aft / ship.beamM));
    const core = Math.exp(-((abeam / width) ** 2) - aft / (2.6 * ship.lengthM));
    blend(paint, MATERIALS.foam, 0.95, Math.min(1, 0.75 * speed * core * (0.55 + 0.65 * foam)));
  }
  // Kelvin's angle: the arms of a wake open at 19.47 degrees whatever the speed.
  const fromBow = half - ahead;
  const arm = Math.abs(Math.abs(abeam) - 0.3536 * fromBow - 0.25 * ship.beamM);
  const thick = 2.2 + 0.016 * fromBow;
  const crest = Math.exp(-((arm / thick) ** 2) - fromBow / (2.4 * ship.lengthM));
  blend(paint, MATERIALS.foam, 0.9, 0.5 * speed * crest * (0.35 + 0.8 * foam));
  return false;
}

function paintHull(ship: Ship, ahead: number, abeam: number, halfWidth: number, seed: number, paint: Paint): void {
  const part = ahead / ship.lengthM;
  const rim = halfWidth - Math.abs(abeam) < 0.9;
  fill(paint, rim ? MATERIALS.shipHull : MATERIALS.shipDeck, 1);
  if (ship.style === 1) fill(paint, MATERIALS.roofTile, rim ? 0.5 : 0.75);
  if (ship.style === 2 || ship.lengthM < 45) fill(paint, MATERIALS.shipWhite, rim ? 0.6 : 0.9);
  if (ship.style === 0 && part > -0.28 && part < 0.4 && !rim) {
    // Containers: stacks of different colours.
    const stack = hashUnit(Math.floor(ahead / 12.6), Math.floor(abeam / 5), seed + 72 + ship.style);
    const colour =
      stack < 0.3
        ? MATERIALS.roofTile
        : stack < 0.5
          ? MATERIALS.roofWhite
          : stack < 0.75
            ? MATERIALS.riverWater
            : MATERIALS.roofGrey;
    fill(paint, colour, 1 + 0.3 * (stack - 0.5));
  }
  if (part > -0.43 && part < -0.31) fill(paint, MATERIALS.shipWhite, 1.05);
}

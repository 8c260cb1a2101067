import { parseInstant } from "@swath/kernel/time/instant";
import { capturesOfSlot, isPossible, momentOf, type Capture } from "./capture.ts";
import { passCount } from "./pass.ts";
import type { Satellite } from "./satellites.ts";
import { framingOf } from "./framing.ts";
import { slotAt } from "./slot.ts";
import type { SwathPlan } from "./swath-plan.ts";

/** Number of a swarm member from 1; 1 for a satellite on its own. */
function memberOf(satellite: Satellite, pass: number): number {
  return (pass % satellite.members) + 1;
}

/** Name of the satellite, or of the member of the swarm that flies the pass. */
export function craftName(satellite: Satellite, pass: number): string {
  return satellite.members === 1 ? satellite.name : `${satellite.name}-${pad(memberOf(satellite, pass), 3)}`;
}

export function relativeOrbitOf(satellite: Satellite, pass: number): number {
  return Math.floor(pass / satellite.members) + 1;
}

/** Frame and column of a capture among all of its revolution: cells are counted through strips. */
export function frameOf(
  plan: SwathPlan,
  { satellite, slot, column, cell }: Capture,
): readonly [frame: number, column: number] {
  const { along, across } = plan.gridOf(satellite).layout;
  return [slot.row * along + Math.floor(cell / across), column * across + (cell % across)];
}

/**
 * The name of a capture: satellite, moment, relative orbit, frame, column and, unless it is nominal, framing. The
 * capture can be worked out from it again.
 *
 * @example "S2A_20180412T102021_R065_F0123_C01"
 */
export function captureName(plan: SwathPlan, capture: Capture): string {
  const { satellite, slot } = capture;
  const [frame, column] = frameOf(plan, capture);
  const member = satellite.members === 1 ? "" : pad(memberOf(satellite, slot.pass), 3);
  const time = new Date(capture.acquiredAtMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  const orbit = relativeOrbitOf(satellite, slot.pass);
  const framing = capture.framing === 0 ? "" : `_S${capture.framing}`;
  return `${satellite.code}${member}_${time}_R${pad(orbit, 3)}_F${pad(frame, 4)}_C${pad(column, 2)}${framing}`;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}

const FORM =
  /^([A-Z0-9]{2,12})_(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})_R(\d{3,4})_F(\d{4,6})_C(\d{2,3})(?:_S([1-7]))?$/;

/** The capture of that name, or null when the satellites of the plan never made it. */
export function captureOf(plan: SwathPlan, name: string): Capture | null {
  const match = FORM.exec(name);
  if (match === null) return null;
  const [, craft = "", year, month, day, hour, minute, second] = match;
  const [orbit = 0, frame = 0, column = 0, framing = 0] = match.slice(8).map((value) => Number(value ?? 0));
  const acquiredAtMs = parseInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const satellite = plan.satellites.find(({ code, members }) =>
    members === 1 ? craft === code : craft.startsWith(code) && craft.length === code.length + 3,
  );
  if (acquiredAtMs === null || satellite === undefined) return null;
  const member = satellite.members === 1 ? 0 : Number(craft.slice(satellite.code.length)) - 1;
  if (!(member >= 0 && member < satellite.members)) return null;
  const grid = plan.gridOf(satellite);
  const { along, across, rows, columns } = grid.layout;
  const pass = (orbit - 1) * satellite.members + member;
  const [row, stripColumn] = [Math.floor(frame / along), Math.floor(column / across)];
  if (!(pass >= 0 && pass < passCount(satellite) && row < rows && stripColumn < columns.length)) return null;
  const slot = slotAt(plan, satellite, row, pass);
  const cell = (frame % along) * across + (column % across);
  const cycle = Math.round((acquiredAtMs - momentOf(plan, satellite, slot, 0, cell)) / satellite.orbit.cycleMs);
  const strip = (one: number): boolean => one === stripColumn;
  // The nominal framing can be named in every cycle; searches find the framing of the cycle.
  if (framing !== 0 && framing !== framingOf(plan, satellite, cycle)) return null;
  const capture = capturesOfSlot(plan, satellite, slot, cycle, strip, framing).find(
    (one) => one.column === stripColumn && one.cell === cell,
  );
  if (capture === undefined || capture.acquiredAtMs !== acquiredAtMs) return null;
  return captureName(plan, capture) === name && isPossible(plan, capture) ? capture : null;
}

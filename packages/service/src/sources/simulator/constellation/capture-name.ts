import { parseInstant } from "@swath/kernel/time/instant";
import { isPossible, isTaken, momentOf, passCount, slotAt, type Capture } from "./capture.ts";
import type { SwathPlan } from "./swath-plan.ts";

/**
 * What a capture is called: satellite, moment, relative orbit, frame and column, from which all of it can be worked
 * out again.
 *
 * @example "S2A_20180412T102021_R065_F0123_C1"
 */
export function captureName(capture: Capture): string {
  const { satellite, pass } = capture;
  const member = satellite.members === 1 ? "" : String((pass % satellite.members) + 1).padStart(3, "0");
  const time = new Date(capture.acquiredAtMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  const relativeOrbit = Math.floor(pass / satellite.members) + 1;
  return `${satellite.code}${member}_${time}_R${pad(relativeOrbit, 3)}_F${pad(capture.frame, 4)}_C${pad(capture.column, 2)}`;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}

const FORM = /^([A-Z0-9]{2,12})_(\d{8}T\d{6})_R(\d{3,4})_F(\d{4,6})_C(\d{2,3})$/;

/** The capture of that name, or null when the satellites of the plan never made it. */
export function captureOf(plan: SwathPlan, name: string): Capture | null {
  const [, craft, time, orbit, frameText, columnText] = FORM.exec(name) ?? [];
  if (craft === undefined || time === undefined) return null;
  const acquiredAtMs = parseInstant(
    `${time.slice(0, 4)}-${time.slice(4, 6)}-${time.slice(6, 8)}T${time.slice(9, 11)}:${time.slice(11, 13)}:${time.slice(13, 15)}Z`,
  );
  const satellite = plan.satellites.find(({ code, members }) =>
    members === 1 ? craft === code : craft.startsWith(code) && craft.length === code.length + 3,
  );
  if (acquiredAtMs === null || satellite === undefined) return null;
  const member = satellite.members === 1 ? 0 : Number(craft.slice(satellite.code.length)) - 1;
  const { layout } = plan.gridOf(satellite);
  const [frame, column] = [Number(frameText), Number(columnText)];
  const pass = (Number(orbit) - 1) * satellite.members + member;
  const inside = frame < layout.frames && column < layout.columns.length && pass >= 0 && pass < passCount(satellite);
  if (!inside || !(member >= 0 && member < satellite.members)) return null;
  const slot = slotAt(plan, satellite, frame, column, pass);
  const cycle = Math.round((acquiredAtMs - satellite.epochMs - slot.offsetMs) / satellite.orbit.cycleMs);
  const capture = { ...slot, satellite, cycle, acquiredAtMs };
  const real =
    momentOf(satellite, cycle, slot.offsetMs) === acquiredAtMs &&
    !Number.isNaN(plan.gridOf(satellite).boxes(frame)[column * 4] ?? Number.NaN) &&
    captureName(capture) === name &&
    isTaken(plan, satellite, cycle, slot) &&
    isPossible(plan, satellite, slot, acquiredAtMs);
  return real ? capture : null;
}

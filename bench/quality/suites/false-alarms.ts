import { CLUTTER_CASES, countFalseAlarms } from "../false-alarms.ts";
import type { Figure } from "../figure.ts";

const CELLS = 1e8;
const SEED = 7;

/** Realised by designed rate of false alarms of the radar detector, over a hundred million simulated cells each. */
export async function falseAlarmFigures(): Promise<readonly Figure[]> {
  return CLUTTER_CASES.map((clutter): Figure => {
    const { ratio, interval, alarms, cells } = countFalseAlarms(clutter, CELLS, SEED);
    const texture = Number.isFinite(clutter.nu) ? `texture of shape ${clutter.nu}` : "no texture";
    return {
      mapType: "ships",
      page: "ships",
      data: `simulated clutter of ${clutter.looks} looks, ${texture}`,
      metric: `false alarms realised by designed, ${clutter.pfa} (${clutter.thresholds})`,
      value: ratio,
      interval,
      bar: { kind: "within", low: 0.9, high: 1.1 },
      over: `${alarms} in ${(cells / 1e6).toFixed(0)} million cells`,
    };
  });
}

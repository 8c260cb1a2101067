import {
  changeVectorRates,
  irMadRates,
  logRatioFalseAlarmRate,
  omnibusRates,
} from "../../../packages/maps/src/types/change-series/change-calibration.ts";
import { correlatedSeriesRates } from "../../../packages/maps/src/types/change-series/series-calibration.ts";
import type { Bar, Figure } from "../figure.ts";
import { shareInterval, unitInterval } from "../interval.ts";
import { mean } from "../../statistics.ts";

/** How often the simulations are run. */
interface CalibrationEffort {
  /** Simulated pairs of pixels per seed, and seeds. */
  readonly pixels: number;
  readonly seeds: number;
  /** Simulated series per level and length. */
  readonly series: number;
}

/** About a minute. */
const EFFORT: CalibrationEffort = { pixels: 200_000, seeds: 5, series: 1_000_000 };

const CHANGED_SHARE = 0.1;
const LEVELS = [0.1, 0.01, 0.001] as const;
const LOOKS_SENTINEL_1 = 4.4;

function shareFigure(
  mapType: string,
  data: string,
  metric: string,
  share: number,
  total: number,
  bar: Bar | null,
  what: string,
): Figure {
  return {
    mapType,
    page: mapType,
    data,
    metric,
    value: share,
    interval: shareInterval(Math.round(share * total), Math.round(total)),
    bar,
    over: `${Math.round(total).toLocaleString("en-US")} ${what}`,
    digits: 5,
  };
}

function pairFigures({ pixels, seeds }: CalibrationEffort): readonly Figure[] {
  const each = Array.from({ length: seeds }, (_, i) => i + 1);
  const irMad = each.map((seed) => irMadRates(pixels, 4, seed, 0.01, 5));
  const vectors = each.map((seed) => changeVectorRates(pixels, 4, seed));
  const [unchanged, changed] = [pixels * seeds * (1 - CHANGED_SHARE), pixels * seeds * CHANGED_SHARE];
  const data = "simulated, a tenth changed";
  const alarms = (metric: string, share: number, bar: Bar | null): Figure =>
    shareFigure("change", data, metric, share, unchanged, bar, "unchanged pixels");
  const hits = (metric: string, share: number, bar: Bar): Figure =>
    shareFigure("change", data, metric, share, changed, bar, "changed pixels");
  return [
    alarms("IR-MAD before calibration: false alarms at 0.01", mean(irMad.map(({ raw }) => raw.falseAlarmRate)), null),
    alarms("IR-MAD: false alarms at 0.01", mean(irMad.map(({ calibrated }) => calibrated.falseAlarmRate)), {
      kind: "at-most",
      value: 0.01,
    }),
    hits("IR-MAD: found at 0.01", mean(irMad.map(({ calibrated }) => calibrated.detectionRate)), {
      kind: "at-least",
      value: 0.98,
    }),
    alarms("change vectors: false alarms", mean(vectors.map((rates) => rates.falseAlarmRate)), {
      kind: "at-most",
      value: 4e-4,
    }),
    hits("change vectors: found", mean(vectors.map((rates) => rates.detectionRate)), { kind: "at-least", value: 0.87 }),
  ];
}

/** Realised levels within a tenth of the design, as for every detector; the omnibus test as its authors found it. */
function levelFigures({ series }: CalibrationEffort): readonly Figure[] {
  const ratios = [LOOKS_SENTINEL_1, 88].map((looks) =>
    shareFigure(
      "change",
      `simulated speckle of ${looks} looks`,
      "log-ratio: false alarms at 0.01",
      logRatioFalseAlarmRate(series, looks, 1, 0.01),
      series,
      { kind: "within", low: 0.009, high: 0.011 },
      "unchanged pixels",
    ),
  );
  const omnibus = [5, 25].flatMap((dates) =>
    LEVELS.map((level) =>
      shareFigure(
        "change-series",
        `simulated speckle, ${dates} dates of ${LOOKS_SENTINEL_1} looks`,
        `false alarms at ${level}`,
        omnibusRates(series, dates, LOOKS_SENTINEL_1, level, dates, 0).changed,
        series,
        { kind: "within", low: level * 0.9, high: level * (level < 0.01 ? 1.25 : 1.1) },
        "unchanged series",
      ),
    ),
  );
  const power = [3, 5].map((stepDb) =>
    shareFigure(
      "change-series",
      `simulated step of ${stepDb} dB, 10 dates of 88 looks`,
      "found at 0.0001, at its date",
      omnibusRates(series / 10, 10, 88, 1e-4, stepDb, stepDb).datedRight,
      series / 10,
      { kind: "at-least", value: 0.95 },
      "changed series",
    ),
  );
  return [...ratios, ...omnibus, ...power, correlatedFigure(Math.max(1, Math.round(series / 50_000)))];
}

/** From pixels to p with looks that the scenes themselves show: neighbours share half of their speckle. */
function correlatedFigure(seeds: number): Figure {
  const runs = Array.from({ length: seeds }, (_, i) =>
    correlatedSeriesRates(256, 5, 1.1, LOOKS_SENTINEL_1, 0.01, i + 1),
  );
  return {
    mapType: "change-series",
    page: "change-series",
    data: "simulated correlated speckle, 5 dates of 4.4 looks",
    metric: "false alarms at 0.01, looks measured",
    value: mean(runs.map(({ falseAlarmRate }) => falseAlarmRate)),
    interval: unitInterval(runs, (units) => mean(units.map(({ falseAlarmRate }) => falseAlarmRate))),
    bar: { kind: "within", low: 0.009, high: 0.011 },
    over: `${seeds} series of scenes`,
    digits: 5,
  };
}

/** Realised error rates of the methods of change on simulated pixels, for the cards of `change` and `change-series`. */
export async function changeCalibrationFigures(): Promise<readonly Figure[]> {
  return [...pairFigures(EFFORT), ...levelFigures(EFFORT)];
}

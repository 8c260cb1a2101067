import { UsageError } from "../exit-code.ts";
import { parseInstant } from "../instant.ts";

type Interval = "day" | "week" | "month";
type Statistic = "count" | "max" | "mean" | "median" | "min" | "sum";

/** Options that choose datapoints of a project. */
export interface SelectionOptions {
  readonly algorithm?: readonly string[];
  readonly source?: readonly string[];
  readonly area?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly versions: string;
  readonly asOf?: string;
  readonly interval?: Interval;
  readonly statistic?: Statistic;
  readonly allAreas?: boolean;
}

/** Datapoints of a project, as the service takes them. */
export interface PointsSelection {
  readonly project: string;
  readonly version: string;
  readonly algorithms?: readonly string[];
  readonly sources?: readonly string[];
  readonly aoiIds?: readonly string[];
  readonly startDatetime?: string;
  readonly endDatetime?: string;
  readonly asOf?: string;
  readonly aggregate?: {
    readonly interval: Interval;
    readonly statistic: Statistic;
    readonly by: "all" | "aoi";
  };
}

/** @throws {UsageError} for a time that is none, and for options of --interval without it */
export function selectedPoints(project: string, options: SelectionOptions): PointsSelection {
  const { algorithm, source, area, from, to, versions, asOf, interval, statistic = "mean", allAreas } = options;
  if (interval === undefined && (options.statistic !== undefined || allAreas === true)) {
    throw new UsageError("--statistic and --all-areas join datapoints: give --interval day, week or month");
  }
  return {
    project,
    version: versions,
    ...(algorithm === undefined ? {} : { algorithms: algorithm }),
    ...(source === undefined ? {} : { sources: source }),
    ...(area === undefined ? {} : { aoiIds: area }),
    ...(from === undefined ? {} : { startDatetime: parseInstant(from, "--from") }),
    ...(to === undefined ? {} : { endDatetime: parseInstant(to, "--to") }),
    // Also the milliseconds that an answer named.
    ...(asOf === undefined ? {} : { asOf }),
    ...(interval === undefined
      ? {}
      : { aggregate: { interval, statistic, by: allAreas === true ? "all" : "aoi" } as const }),
  };
}

import type { OrderPriority } from "@swath/kernel/tasking/order-priority";

/** A range, both ends included. */
export interface Interval {
  readonly min: number;
  readonly max: number;
}

/** The offer of one kind of tasking of a dataset. Hours count from the moment of the request. */
export interface TaskingInfo {
  readonly allowedTaskingGeometry: readonly ("Point" | "Polygon")[];
  /** Factor on the price of archive imagery. */
  readonly costMultiplier: number;
  /** How far ahead a feasibility study may start and end. */
  readonly feasibilityHourOffset: Interval;
  /** Priorities of orders, the default first, with their factors on the price of this kind of tasking. */
  readonly priorities: Readonly<Partial<Record<OrderPriority, number>>>;
  /** Least area that is reserved, km²; also the square around a point. */
  readonly preallocationAreaKm2: number;
  /** How long the window of an order may be. */
  readonly taskingHourDuration: Interval;
  /** How far ahead an order may start. */
  readonly taskingHourOffset: Interval;
  /** Ground sampling distance to choose from, metres. */
  readonly taskingResolution: Interval;
}

/** By kind: `flexible` may be taken anywhere in its window, `assured` in the one pass that was chosen. */
export type TaskingInfos = Readonly<Partial<Record<"assured" | "flexible", TaskingInfo>>>;

const DAY_H = 24;
const anyGeometry = ["Point", "Polygon"] as const;

interface TaskingInput {
  readonly preallocationAreaKm2: number;
  readonly resolutionM: Interval;
}

/** Within weeks to months, at the price of the archive. */
function flexible({ preallocationAreaKm2, resolutionM }: TaskingInput): TaskingInfo {
  return {
    allowedTaskingGeometry: anyGeometry,
    costMultiplier: 1,
    feasibilityHourOffset: { min: DAY_H, max: 90 * DAY_H },
    priorities: { flexible: 1 },
    preallocationAreaKm2,
    taskingHourDuration: { min: 7 * DAY_H, max: 90 * DAY_H },
    taskingHourOffset: { min: DAY_H, max: 90 * DAY_H },
    taskingResolution: resolutionM,
  };
}

/** One pass of the next two weeks, which is as far as orbits can be foretold, at twice the price. */
function assured({ preallocationAreaKm2, resolutionM }: TaskingInput): TaskingInfo {
  return {
    allowedTaskingGeometry: anyGeometry,
    costMultiplier: 2,
    feasibilityHourOffset: { min: DAY_H, max: 14 * DAY_H },
    priorities: { assured: 1 },
    preallocationAreaKm2,
    taskingHourDuration: { min: 1, max: 2 * DAY_H },
    taskingHourOffset: { min: DAY_H, max: 14 * DAY_H },
    taskingResolution: resolutionM,
  };
}

/** Optical satellites that can be pointed. */
export function opticalTasking(input: TaskingInput): TaskingInfos {
  return { assured: assured(input), flexible: flexible(input) };
}

/** Optical satellites whose every order is for a chosen pass; an express order costs half as much again. */
export function expressTasking(input: TaskingInput): TaskingInfos {
  return { assured: { ...assured(input), priorities: { assured: 1, express: 1.5 } } };
}

/** Radar sees through clouds and at night: half a day ahead is enough, and a flexible window need not be long. */
export function radarTasking(input: TaskingInput): TaskingInfos {
  const soon = { min: DAY_H / 2, max: 14 * DAY_H };
  return {
    assured: { ...assured(input), feasibilityHourOffset: soon, taskingHourOffset: soon },
    flexible: { ...flexible(input), taskingHourDuration: { min: DAY_H, max: 30 * DAY_H } },
  };
}

/** Radar with four tiers: 1, 1.3, 1.8 and 2.5 times the price of the archive. The two dear ones are for one pass. */
export function tieredRadarTasking(input: TaskingInput): TaskingInfos {
  const { assured: chosen, flexible: anywhere } = radarTasking(input);
  return {
    ...(anywhere === undefined ? {} : { flexible: { ...anywhere, priorities: { flexible: 1, standard: 1.3 } } }),
    ...(chosen === undefined ? {} : { assured: { ...chosen, priorities: { priority: 0.9, urgent: 1.25 } } }),
  };
}

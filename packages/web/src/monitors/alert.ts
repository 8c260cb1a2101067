import type { SwathEvent } from "@swath/client";

/** A value that broke a rule in an area. */
export interface AlertFinding {
  /** ID of the area, or its position from 0. */
  readonly area: string;
  readonly value: number;
  /** The bound that the value passed, or the median that it is far from. */
  readonly reference: number;
  readonly side: "above" | "below";
}

/** A scene that broke the rule of a monitor. */
export interface Alert {
  readonly id: string;
  readonly position: number;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly monitorId: string;
  /** Name of the monitor. */
  readonly name: string;
  readonly sceneId: string;
  /** Acquisition of the scene, UTC. */
  readonly datetime: string;
  /** At most 50 of `alertCount`. */
  readonly findings: readonly AlertFinding[];
  readonly alertCount: number;
}

/** Reads an event of the type `monitor.alert`; null where it is none. */
export function alertOf({ id, position, time, type, data }: SwathEvent): Alert | null {
  const { monitorId, name, sceneId, datetime, findings, alertCount } = data;
  if (type !== "monitor.alert" || typeof monitorId !== "string" || typeof sceneId !== "string") return null;
  if (typeof datetime !== "string" || typeof alertCount !== "number" || !Array.isArray(findings)) return null;
  const shownName = typeof name === "string" ? name : "";
  return {
    id,
    position,
    time,
    monitorId,
    name: shownName,
    sceneId,
    datetime,
    findings: findings.filter(isFinding),
    alertCount,
  };
}

function isFinding(value: unknown): value is AlertFinding {
  if (typeof value !== "object" || value === null) return false;
  const { area, value: measured, reference, side } = value as Readonly<Record<string, unknown>>;
  const hasNumbers = typeof measured === "number" && typeof reference === "number";
  return typeof area === "string" && hasNumbers && (side === "above" || side === "below");
}

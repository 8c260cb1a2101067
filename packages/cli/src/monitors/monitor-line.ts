/** A monitor of an answer. */
interface ShownMonitor {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly stopReason: string | null;
  readonly areaCount: number;
  readonly spentCredits: number;
  readonly creditsPerMonth: number;
}

/** The cells of a monitor in a table. */
export function monitorLine(monitor: ShownMonitor): readonly string[] {
  const { areaCount, creditsPerMonth, enabled, id, name, spentCredits, stopReason } = monitor;
  const state = enabled ? "watches" : stopReason === null ? "paused" : `stopped: ${stopReason}`;
  return [id, name, `${areaCount} areas`, `${spentCredits} of ${creditsPerMonth} credits`, state];
}

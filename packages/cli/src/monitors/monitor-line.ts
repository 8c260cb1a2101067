/** A monitor of an answer. */
interface ShownMonitor {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly stopReason: string | null;
  readonly areaCount: number;
  readonly spentCredits: number;
  readonly creditsPerMonth: number;
  readonly looks: readonly { readonly provider: string; readonly failure: string | null }[];
}

/** The cells of a monitor in a table. */
export function monitorLine(monitor: ShownMonitor): readonly string[] {
  const { areaCount, creditsPerMonth, id, name, spentCredits } = monitor;
  return [id, name, `${areaCount} areas`, `${spentCredits} of ${creditsPerMonth} credits`, stateOf(monitor)];
}

function stateOf({ enabled, looks, stopReason }: ShownMonitor): string {
  if (!enabled) return stopReason === null ? "paused" : `stopped: ${stopReason}`;
  const failing = looks.find(({ failure }) => failure !== null);
  return failing === undefined ? "watches" : `watches, ${failing.provider} fails: ${failing.failure}`;
}

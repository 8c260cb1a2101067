import type { EmptyFeasibility } from "@swath/contract/features/tasking/feasibility-contract";
import type { OfferedWindow } from "../../../tasking-providers/tasking-provider.ts";
import type { AgreedOrder } from "../parameters/agreed-order.ts";

/** Why a study has no window: nothing was offered, or all that was begins before an order could be placed. */
export function explainEmptyStudy(
  { plan, interval }: Pick<AgreedOrder, "plan" | "interval">,
  offers: readonly Pick<OfferedWindow, "startMs">[],
): EmptyFeasibility {
  const { tasked, info } = plan;
  if (offers.length > 0) {
    const count = offers.length === 1 ? "1 window begins" : `all ${offers.length} windows begin`;
    const least = `${info.taskingHourOffset.min} h`;
    return { code: "TOO-SOON", message: `${count} too soon: orders are placed at least ${least} before a window` };
  }
  const [from, to] = [interval.fromMs, interval.toMs].map((timeMs) => new Date(timeMs).toISOString().slice(0, 16));
  const name = `${tasked.provider.name} ${tasked.dataset.dataset}`;
  return {
    code: "NO-PASS",
    message: `${name} offers no pass from ${from}Z to ${to}Z within its angles and its limit of the sun`,
  };
}

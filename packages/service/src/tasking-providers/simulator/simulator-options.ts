import type { SubmittedOrder } from "../tasking-provider.ts";
import { chanceOf } from "./chance.ts";
import type { SimulatorFault } from "./settings.ts";

/** Settings of the simulated provider, complete. */
export interface SimulatorOptions {
  /** Seconds of an order per second of the clock, 1 or more. */
  readonly speed: number;
  /** Most pixels of a band of a delivered scene, millions. */
  readonly megapixels: number;
  /** From a capture to its publication, in the present of the order. */
  readonly latencyMs: number;
  /** Shares 0..1; see `SimulatorSettings`. */
  readonly faults: Readonly<Record<SimulatorFault, number>>;
}

/**
 * Whether an order meets a fault: always the same answer for the same order.
 *
 * @param index of the call or the hour, for faults that come and go
 */
export function meets(
  { faults }: Pick<SimulatorOptions, "faults">,
  { orderId }: Pick<SubmittedOrder, "orderId">,
  fault: SimulatorFault,
  index = 0,
): boolean {
  return chanceOf(orderId, fault, index) < faults[fault];
}

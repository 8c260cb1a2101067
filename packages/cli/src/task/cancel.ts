import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { orderLine } from "./order-line.ts";
import { resolveOrder } from "./task-names.ts";

/** `swath task cancel`: asks for the end of an order. */
export async function cancel(context: CommandContext, _options: object, [text = ""]: readonly string[]): Promise<void> {
  const { output, signal } = context;
  const orderId = await resolveOrder(context, text);
  const client = await connect(context);
  const order = await client.call("/scene-tasking/order/cancel", { orderId }, { signal });
  const { feeShare } = order.cancellation;
  const fee = feeShare === 0 ? "nothing is charged" : `${(feeShare * 100).toFixed(0)}% of the price is charged`;
  const next = order.status === "CANCELLED" ? fee : `the provider is asked to cancel; then ${fee}`;
  output.result(order, [orderLine(order), next]);
}

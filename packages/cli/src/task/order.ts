import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { CommandError, EXIT } from "../exit-code.ts";
import { rememberSeen } from "../remember.ts";
import { applyOptions, type OrderCommandOptions } from "./order-options.ts";
import { orderLine } from "./order-line.ts";
import { resolveWindow } from "./task-names.ts";

export interface OrderOptions extends OrderCommandOptions {
  readonly check?: boolean;
  readonly most?: number;
}

/** `swath task order`: shows the price of a window and orders it. */
export async function order(
  context: CommandContext,
  options: OrderOptions,
  [text = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const { windowId, request } = await resolveWindow(context, text);
  const body = { ...(await applyOptions(request, options)), windowId };
  const client = await connect(context);
  const quote = await client.call("/scene-tasking/check-credit", body, { signal });
  const price = `${quote.cost} credits for ${quote.areaKm2.toFixed(2)} km2, ${quote.remainingCredit} left before`;
  if (options.check === true) {
    output.result(quote, [price]);
    return;
  }
  if (options.most !== undefined && quote.cost > options.most) {
    throw new CommandError(`the order costs ${quote.cost} credits, more than --most ${options.most}`, EXIT.credit);
  }
  output.note(price);
  const placed = await client.call("/scene-tasking/order/create", body, { signal });
  await rememberSeen(context, { orders: [placed.id] });
  output.result(placed, [orderLine(placed), "swath task watch @last follows it"]);
}

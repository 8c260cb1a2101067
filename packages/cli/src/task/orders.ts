import type { OrderStatus } from "@swath/kernel/tasking/order-status";
import { readPages } from "../admin/pages.ts";
import { showRows } from "../admin/show-table.ts";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { parseDataset } from "../searched-datasets.ts";
import { spacedTime } from "../spaced-time.ts";

export interface OrdersOptions {
  readonly status?: OrderStatus;
  readonly dataset?: string;
  readonly limit: number;
}

/** The largest page of orders. */
const PAGE_SIZE = 200;

/** `swath task orders`: the orders that the user may see, newest first. */
export async function orders(context: CommandContext, { status, dataset, limit }: OrdersOptions): Promise<void> {
  const client = await connect(context);
  const named = dataset?.includes("/") === true ? parseDataset(dataset).dataset : dataset;
  const filter = {
    ...(status === undefined ? {} : { status }),
    ...(named === undefined ? {} : { dataset: named }),
  };
  const rows = await readPages(
    limit,
    (page: { readonly limit: number; readonly cursor?: number }) =>
      client.call("/scene-tasking/order/list", { ...filter, ...page }, { signal: context.signal }),
    PAGE_SIZE,
  );
  showRows(
    context,
    rows,
    {
      id: ({ id }) => id,
      status: (one) => one.status,
      dataset: (one) => `${one.provider}/${one.dataset}`,
      from: ({ startTime }) => spacedTime(startTime),
      until: ({ endTime }) => spacedTime(endTime),
      credits: ({ price }) => price,
      name: ({ name }) => name,
    },
    "no order; swath task feasibility finds windows to order",
  );
}

import { ServiceError } from "@swath/kernel/errors/service-error";
import { Slots } from "@swath/raster/remote/slots";
import type { RequestContext } from "../../../platform/context.ts";
import { parseItem, rowsOf, type ItemRow } from "../../../sources/registered/item-row.ts";
import type { ReadItems } from "../../../sources/registered/read-items.ts";
import type { RegisteredItems } from "../../../sources/registered/registered-items.ts";
import type { ItemTarget } from "../../../sources/registered/registered-id.ts";

type Json = Readonly<Record<string, unknown>>;

/** Items whose headers are read at the same time, by all requests of the process and by one request. */
const AT_ONCE = 8;
const AT_ONCE_OF_REQUEST = 4;
const MAX_MS = 60_000;
const slots = new Slots(AT_ONCE);

/**
 * Reads items of a request. Each must be an item for the dataset, and no two may have one identifier.
 *
 * @throws {ServiceError} BAD-REQUEST naming every fault
 */
export async function acceptedRows(
  items: RegisteredItems,
  json: readonly unknown[],
  target: ItemTarget,
  signal: AbortSignal,
): Promise<readonly ItemRow[]> {
  const lines = json.map((one) => JSON.stringify(one)).join("\n");
  const { columns, refused, refusedCount } = await items.read(new TextEncoder().encode(lines), target, signal);
  if (refusedCount > 0) throw refusal(json.length, { refused, refusedCount });
  const rows = columns.flatMap(rowsOf);
  if (rows.length < json.length) throw new ServiceError("BAD-REQUEST", "two items have the same id");
  return rows;
}

function refusal(count: number, { refused, refusedCount }: Pick<ReadItems, "refused" | "refusedCount">): ServiceError {
  const details = refused.map(({ line, id, reason }) => ({
    path: count === 1 ? "" : `/features/${line - 1}`,
    message: id === null ? reason : `${id}: ${reason}`,
  }));
  const [first] = details;
  const more = refusedCount > 1 ? `; and ${refusedCount - 1} more, see details` : "";
  return new ServiceError("BAD-REQUEST", `${count === 1 ? "The item" : first?.path} ${first?.message}${more}`, {
    details,
  });
}

/**
 * Reads the header of each file of the items and completes their grids.
 *
 * @throws {ServiceError} of a file, naming its item; SERVICE-UNAVAILABLE when hosts take too long;
 * TOO-MANY-REQUESTS when too many requests of the caller wait
 */
export async function checkedRows(
  items: RegisteredItems,
  rows: readonly ItemRow[],
  target: ItemTarget,
  { beginWait, signal }: Pick<RequestContext, "beginWait" | "signal">,
): Promise<readonly ItemRow[]> {
  using wait = beginWait();
  if (wait === null) {
    throw new ServiceError("TOO-MANY-REQUESTS", "too many requests of yours wait for files", { retryAfterS: 1 });
  }
  const timeout = AbortSignal.timeout(MAX_MS);
  const both = AbortSignal.any([signal, timeout]);
  const ended = new AbortController();
  const own = new Slots(AT_ONCE_OF_REQUEST);
  try {
    const checked = await Promise.all(
      rows.map((row) =>
        own.run(both, () => slots.run(both, () => checkOne(items, row, target, AbortSignal.any([both, ended.signal])))),
      ),
    );
    return await acceptedRows(items, checked, target, signal);
  } catch (error) {
    ended.abort(error);
    if (!timeout.aborted || signal.aborted) throw error;
    throw new ServiceError("SERVICE-UNAVAILABLE", `the files could not be read within ${MAX_MS / 1000} s`, {
      cause: error,
      retryAfterS: 60,
    });
  }
}

async function checkOne(items: RegisteredItems, row: ItemRow, target: ItemTarget, signal: AbortSignal): Promise<Json> {
  try {
    return await items.check(parseItem(row.item), target, signal);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError(error.code, `item ${row.itemId}: ${error.message}`, { cause: error });
  }
}

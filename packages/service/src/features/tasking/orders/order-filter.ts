import type { ListOrdersRequest } from "@swath/contract/features/tasking/order-contract";
import { parseInstant } from "@swath/kernel/time/instant";
import type { Catalog } from "../../../providers/catalog.ts";
import { invalidMember } from "../contracts/invalid-members.ts";
import type { OrderFilter } from "./visible-order-store.ts";

/** The filter of a list. @throws {ServiceError} VALIDATION-ERROR for days that do not exist and an empty interval */
export function orderFilter(
  catalog: Pick<Catalog, "findDataset" | "providers">,
  { dataset, batchId, startTime, endTime, status }: ListOrdersRequest,
): OrderFilter {
  const fromMs = instantOf(startTime, "/startTime");
  const toMs = instantOf(endTime, "/endTime");
  if (fromMs !== null && toMs !== null && toMs <= fromMs) {
    throw invalidMember("/endTime", `is ${endTime}, expected a time after startTime, ${startTime}`);
  }
  return {
    datasets: dataset === undefined ? null : datasetsNamed(catalog, dataset),
    batchId: batchId ?? null,
    fromMs,
    toMs,
    status: status ?? null,
    taskingType: null,
  };
}

/** All datasets of a name or an alias; none for an unknown one. */
function datasetsNamed({ findDataset, providers }: Pick<Catalog, "findDataset" | "providers">, name: string) {
  return providers.flatMap(({ id }) => {
    const found = findDataset(id, name);
    return found === null ? [] : [{ provider: id, dataset: found.dataset.dataset }];
  });
}

function instantOf(text: string | undefined, path: string): number | null {
  if (text === undefined) return null;
  const instant = parseInstant(text);
  if (instant === null) throw invalidMember(path, `is ${text}, which is no day of the calendar`);
  return instant;
}

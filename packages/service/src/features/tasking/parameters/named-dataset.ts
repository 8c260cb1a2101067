import type { OrderParameters } from "@swath/contract/features/tasking/order-parameters";
import { didYouMean } from "@swath/kernel/text/did-you-mean";
import type { Catalog, RegisteredDataset } from "../../../providers/catalog.ts";
import type { TaskingInfos } from "../../../providers/tasking-info.ts";
import { invalidMember } from "../contracts/invalid-members.ts";

/** A dataset that can be ordered. */
export interface TaskedDataset extends RegisteredDataset {
  readonly taskingInfo: TaskingInfos;
}

type Named = Pick<OrderParameters, "provider" | "dataset" | "orderOptions">;

/**
 * The dataset that a request names, by identifiers or aliases. The provider may be left out where one only has such a
 * dataset, or be among the options of the order.
 *
 * @param path of the order in its request, such as `/params/0`
 * @throws {ServiceError} VALIDATION-ERROR with the datasets or providers to choose from
 */
export function namedDataset(
  catalog: Pick<Catalog, "findDataset" | "findProvider" | "providers">,
  { provider, dataset, orderOptions }: Named,
  path: string,
): TaskedDataset {
  const wanted = providerOf(catalog, provider, `${path}/provider`);
  const option = providerOf(catalog, orderOptions?.provider, `${path}/orderOptions/provider`);
  if (wanted !== null && option !== null && wanted !== option) {
    throw invalidMember(`${path}/orderOptions/provider`, `is ${option}, expected the provider ${wanted} of the order`);
  }
  const providerId = wanted ?? option;
  const found = catalog.providers
    .filter(({ id }) => providerId === null || id === providerId)
    .flatMap(({ id }) => taskedDataset(catalog.findDataset(id, dataset)));
  const [first, ...others] = found;
  if (first === undefined) throw unknownDataset(catalog, providerId, dataset, path);
  if (others.length > 0) {
    const ids = found.map((one) => one.provider.id);
    throw invalidMember(`${path}/provider`, `is missing: the dataset ${dataset} is of ${ids.join(" and ")}`);
  }
  return first;
}

function providerOf(catalog: Pick<Catalog, "findProvider" | "providers">, id: string | undefined, path: string) {
  if (id === undefined) return null;
  const provider = catalog.findProvider(id);
  if (provider !== null) return provider.id;
  const ids = catalog.providers.map((one) => one.id);
  throw invalidMember(path, `is ${id}, which is no provider${didYouMean(id, ids)}`);
}

function taskedDataset(registered: RegisteredDataset | null): readonly TaskedDataset[] {
  const taskingInfo = registered?.dataset.taskingInfo ?? null;
  return registered === null || taskingInfo === null ? [] : [{ ...registered, taskingInfo }];
}

/** The names of all datasets that can be ordered are a page: more is no help. */
const MAX_SHOWN = 20;

function unknownDataset(
  { providers }: Pick<Catalog, "providers">,
  providerId: string | null,
  dataset: string,
  path: string,
) {
  const names = providers
    .filter(({ id }) => providerId === null || id === providerId)
    .flatMap(({ datasets }) => datasets.flatMap((one) => (one.taskingInfo === null ? [] : [one.dataset])));
  const shown = names.slice(0, MAX_SHOWN).join(", ");
  const of = providerId === null ? "" : ` of the provider ${providerId}`;
  const expected = names.length === 0 ? `no dataset${of} takes orders` : `expected one of ${shown}`;
  return invalidMember(`${path}/dataset`, `is ${dataset}, which takes no orders${of}; ${expected}`);
}

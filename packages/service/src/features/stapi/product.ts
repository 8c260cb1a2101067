import { sceneIdPrefix } from "@swath/kernel/scenes/scene-id";
import { ORDER_PRIORITIES, type OrderPriority } from "@swath/kernel/tasking/order-priority";
import type { Catalog } from "../../providers/catalog.ts";
import { imagingModeOf } from "../../providers/imaging-mode.ts";
import type { DatasetDescriptor, ProviderDescriptor } from "../../providers/provider.ts";
import type { TaskingInfo, TaskingInfos } from "../../providers/tasking-info.ts";
import type { TaskingProviders } from "../../tasking-providers/tasking-provider.ts";
import type { AgreedContract } from "../tasking/contracts/agreed-contract.ts";

/** A kind of tasking of a dataset, as the contract of the caller offers it. */
export interface Product {
  readonly id: string;
  readonly provider: ProviderDescriptor;
  readonly dataset: DatasetDescriptor;
  readonly taskingType: keyof TaskingInfos;
  readonly info: TaskingInfo;
  /** Priorities of orders, the default first. */
  readonly priorities: readonly [OrderPriority, ...OrderPriority[]];
  readonly contract: AgreedContract;
}

export interface ProductSources {
  readonly catalog: Pick<Catalog, "providers">;
  readonly taskingProviders: Pick<TaskingProviders, "providerOf">;
}

/** Provider and dataset, escaped as in scene identifiers, and the kind of tasking: distinct products have distinct IDs. */
export function productId(provider: string, dataset: string, taskingType: string): string {
  return `${sceneIdPrefix(provider, dataset)}${taskingType}`;
}

const KINDS = ["assured", "flexible"] as const;

/** The products that a caller with these contracts can order, by provider and dataset. */
export function productsOf(
  { catalog, taskingProviders }: ProductSources,
  contracts: ReadonlyMap<string, AgreedContract>,
): readonly Product[] {
  return catalog.providers.flatMap((provider) => {
    const contract = contracts.get(provider.id);
    if (contract === undefined) return [];
    return provider.datasets.flatMap((dataset) => {
      if (taskingProviders.providerOf(provider.id, dataset.dataset) === null) return [];
      if (!contract.terms.imagingModes.allowed.includes(imagingModeOf(dataset))) return [];
      return KINDS.flatMap((kind) => productOf(provider, dataset, kind, contract));
    });
  });
}

function productOf(
  provider: ProviderDescriptor,
  dataset: DatasetDescriptor,
  taskingType: keyof TaskingInfos,
  contract: AgreedContract,
): readonly Product[] {
  const info = dataset.taskingInfo?.[taskingType];
  if (info === undefined) return [];
  const { allowed, default: usual } = contract.terms.priority;
  const offered = ORDER_PRIORITIES.filter((one) => info.priorities[one] !== undefined && allowed.includes(one));
  const [first, ...others] = offered.toSorted((one, other) => Number(other === usual) - Number(one === usual));
  if (first === undefined) return [];
  const id = productId(provider.id, dataset.dataset, taskingType);
  return [{ id, provider, dataset, taskingType, info, priorities: [first, ...others], contract }];
}

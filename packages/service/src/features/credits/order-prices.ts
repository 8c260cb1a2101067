import type { Clock } from "@swath/base/clock";
import type { MicroCredits } from "@swath/kernel/credits/micro";
import { priceOf, type Price } from "@swath/kernel/credits/pricing";
import type { Db } from "../../platform/context.ts";
import type { Catalog } from "../../providers/catalog.ts";
import { findDataset } from "../../providers/registry.ts";
import { declaredPrice } from "./declared-price.ts";
import { licenseError } from "./refusal.ts";
import * as store from "./store.ts";

/** Names of a dataset, not aliases. */
interface DatasetNames {
  readonly provider: string;
  readonly dataset: string;
}

/** Prices of orders and credit for them. */
export interface OrderPrices {
  /** Prices of datasets for a group now, by its price rules and its tier; in the order of the datasets. */
  datasetPrices(groupId: string, datasets: readonly DatasetNames[]): Promise<readonly Price[]>;
  /**
   * Credit of a group that a user can still spend.
   *
   * @throws {ServiceError} LICENSE-EXPIRED
   */
  spendableMicro(groupId: string, userId: string): Promise<MicroCredits>;
}

interface OrderPriceDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** All as built in unless given. */
  readonly catalog?: Pick<Catalog, "findDataset">;
}

export function createOrderPrices({ db, clock, catalog = { findDataset } }: OrderPriceDeps): OrderPrices {
  return {
    async datasetPrices(groupId, datasets) {
      const now = clock.now();
      const [rules, { tier }] = await Promise.all([
        store.readPriceRules(db, groupId, now),
        store.readAccount(db, groupId, null, now),
      ]);
      return datasets.map(({ provider, dataset }) =>
        priceOf(rules, { provider, dataset, groupId, tier }, declaredPrice(catalog, provider, dataset)),
      );
    },
    async spendableMicro(groupId, userId) {
      const now = clock.now();
      const { isLicensed, spendableMicro } = await store.readAccount(db, groupId, userId, now);
      if (!isLicensed) throw licenseError(groupId, now);
      return spendableMicro;
    },
  };
}

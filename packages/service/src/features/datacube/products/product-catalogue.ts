import type { Static } from "typebox";
import type {
  defineProduct as defineOperation,
  getProductCatalogue as catalogueOperation,
  getSalesInfo as salesOperation,
} from "@swath/contract/features/datacube/products-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db } from "../../../platform/context.ts";
import { inTransaction } from "../../../platform/postgres/transaction.ts";
import { datacubeNow } from "../datacube-now.ts";
import { readSeriesOf, type SeriesRow } from "../series-store.ts";
import { existingProduct, isEntitled } from "./get-product.ts";
import { insertProduct, readProducts, type ProductRow } from "./product-store.ts";

type Catalogue = Static<typeof catalogueOperation.response>;

const PAGE_SIZE = 100;
const CURSOR = /^product:1:([a-z0-9][a-z0-9_-]{0,63})$/;

/** @throws {ServiceError} VALIDATION-ERROR for windows that end before they begin */
export async function defineProduct(
  db: Db,
  { productId, definition }: Static<typeof defineOperation.request>,
): Promise<Static<typeof defineOperation.response>> {
  for (const member of ["base", "sample"] as const) {
    const window = definition[member];
    if (window === undefined || window.from <= window.to) continue;
    throw new ServiceError("VALIDATION-ERROR", `/definition/${member}/to must not be before ${window.from}`);
  }
  return { productId, revision: await inTransaction(db, (trx) => insertProduct(trx, productId, definition)) };
}

/** @throws {ServiceError} INVALID-CURSOR */
export async function getProductCatalogue(
  db: Db,
  caller: Caller,
  { cursor, category, region }: Static<typeof catalogueOperation.request>,
): Promise<Catalogue> {
  const filter = { category: category ?? null, region: region ?? null };
  const rows = await readProducts(db, cursor === undefined ? "" : readCursor(cursor), filter, PAGE_SIZE + 1);
  const page = rows.slice(0, PAGE_SIZE);
  const projects = new Set(page.flatMap(({ definition }) => definition.inputs.map(({ project }) => project)));
  const series = await readSeriesOf(db, [...projects]);
  return {
    results: page.map((row) => summaryOf(row, series, isEntitled(caller, row.productId))),
    cursor: rows.length > PAGE_SIZE ? Buffer.from(`product:1:${page.at(-1)!.productId}`).toString("base64url") : null,
  };
}

function readCursor(cursor: string): string {
  const [, productId] = CURSOR.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (productId !== undefined) return productId;
  throw new ServiceError("INVALID-CURSOR", "the cursor is none of this list; leave it out for the first page");
}

function summaryOf(
  { productId, definition }: ProductRow,
  series: readonly SeriesRow[],
  entitled: boolean,
): Catalogue["results"][number] {
  const { name, shortDescription = "", category = "", region = "", frequency = "", unit = "" } = definition;
  const starts = series.flatMap(({ project, algorithm, startAt }) =>
    startAt !== null && definition.inputs.some((input) => input.project === project && input.algorithm === algorithm)
      ? [startAt.toISOString().slice(0, 7)]
      : [],
  );
  return {
    productId,
    name,
    shortDescription,
    category,
    region,
    frequency,
    unit,
    historyStart: starts.toSorted()[0] ?? null,
    latencyDays: definition.latencyDays ?? 0,
    nextRelease: definition.nextRelease ?? "",
    status: definition.status ?? "active",
    entitled,
    sampleAvailable: definition.sample !== undefined,
  };
}

/** @throws {ServiceError} DATA-NOT-AVAILABLE */
export async function getSalesInfo(
  db: Db,
  { productId }: Static<typeof salesOperation.request>,
): Promise<Static<typeof salesOperation.response>> {
  const { definition } = await existingProduct(db, productId, await datacubeNow(db));
  const { plans = [], sample = null, contact = "", licence = "", attribution = "" } = definition;
  return { productId, plans: [...plans], sample, contact, licence, attribution };
}

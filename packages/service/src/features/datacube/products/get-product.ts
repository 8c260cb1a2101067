import type { Static } from "typebox";
import type { getProduct as operation } from "@swath/contract/features/datacube/products-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { isGranted } from "@swath/kernel/permissions/permission";
import type { Caller, Db } from "../../../platform/context.ts";
import { exactMoment } from "../points-query.ts";
import { mayReadDatapoints, visibleProjects } from "../project-rights.ts";
import { formatMoment, requestInstant } from "../request-instant.ts";
import { productIndex } from "./product-index.ts";
import { productComponents, type ProductComponent } from "./product-series.ts";
import { readProduct, type ProductRow } from "./product-store.ts";

type Response = Static<typeof operation.response>;

/** Whether the caller reads more of the product than its sample. */
export function isEntitled({ permissions }: Pick<Caller, "permissions">, productId: string): boolean {
  return isGranted(permissions, `datacube.product.${productId}`);
}

/** @throws {ServiceError} DATA-NOT-AVAILABLE */
export async function existingProduct(db: Db, productId: string, asOf: Date): Promise<ProductRow> {
  const row = await readProduct(db, productId, asOf);
  if (row === null) throw new ServiceError("DATA-NOT-AVAILABLE", `there is no product ${productId}`);
  return row;
}

/** @throws {ServiceError} DATA-NOT-AVAILABLE; VALIDATION-ERROR for moments that do not exist */
export async function getProduct(
  db: Db,
  caller: Caller,
  { productId, asOf: asked, includeComponents = false, ...request }: Static<typeof operation.request>,
): Promise<Response> {
  const from = requestInstant(request.startDatetime, "/startDatetime");
  const to = requestInstant(request.endDatetime, "/endDatetime");
  const asOf = await exactMoment({ db }, requestInstant(asked, "/asOf"));
  const { definition, revision } = await existingProduct(db, productId, asOf);
  const components = await productComponents(db, definition, asOf);
  const entitled = isEntitled(caller, productId);
  const { sample, formula, base = null } = definition;
  const isShown = (month: string): boolean =>
    (entitled || (sample !== undefined && month >= sample.from && month <= sample.to)) &&
    (from === null || month >= from.toISOString().slice(0, 7)) &&
    (to === null || month <= to.toISOString().slice(0, 7));
  const series = productIndex(components, { formula, base }).filter(({ period }) => isShown(period));
  const { name, description = "", methodology = "", inputs } = definition;
  return {
    productId,
    name,
    description,
    methodology,
    inputs: [...inputs],
    calibration: definition.calibration ?? "",
    benchmarks: definition.benchmarks ?? "",
    revisionsPolicy: definition.revisionsPolicy ?? "",
    series: series.map((one) => ({
      ...one,
      firstSeen: formatMoment(lastOf(components, one.period)),
      version: String(revision),
    })),
    ...(includeComponents && entitled ? { components: await readableComponents(db, caller, components, isShown) } : {}),
    entitled,
    asOf: formatMoment(asOf),
  };
}

function lastOf(components: readonly ProductComponent[], month: string): Date {
  return new Date(Math.max(...components.map(({ seen }) => seen.get(month)?.getTime() ?? 0)));
}

/** Components whose datapoints the caller may read too. */
async function readableComponents(
  db: Db,
  caller: Caller,
  components: readonly ProductComponent[],
  isShown: (month: string) => boolean,
): Promise<NonNullable<Response["components"]>> {
  const projects = new Set(await visibleProjects(db, caller));
  return components
    .filter(({ project, algorithm }) => projects.has(project) && mayReadDatapoints(caller, project, algorithm))
    .map(({ project, algorithm, values }) => ({
      project,
      algorithm,
      values: [...values]
        .filter(([month]) => isShown(month))
        .map(([period, value]) => ({ period, value }))
        .toSorted((a, b) => (a.period < b.period ? -1 : 1)),
    }));
}

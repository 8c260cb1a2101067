import type { Static } from "typebox";
import type { datacubeContract } from "@swath/contract/features/datacube/contract";
import type { Caller } from "../../platform/context.ts";
import { appendForCaller } from "./append-for-caller.ts";
import { exportDatapoints, type ExportDatapointsDeps } from "./export-datapoints.ts";
import { getAois } from "./get-aois.ts";
import { getCatalogue } from "./get-catalogue.ts";
import { getDatapoints } from "./get-datapoints.ts";
import { getProduct } from "./products/get-product.ts";
import { defineProduct, getProductCatalogue, getSalesInfo } from "./products/product-catalogue.ts";
import { requireOwnProject } from "./project-rights.ts";
import { saveAois, type SaveAoisDeps } from "./save-aois.ts";
import { saveProject } from "./save-project.ts";

type Contract = typeof datacubeContract;
type Direct = Exclude<keyof Contract, "exportDatapoints">;
type Operation<Name extends Direct> = (
  caller: Caller,
  request: Static<Contract[Name]["request"]>,
  signal: AbortSignal,
) => Promise<Static<Contract[Name]["response"]>>;

/**
 * Series of datapoints of areas. Projects, series and areas that the caller has no right to do not exist. Other features
 * write with `appendDatapoints`, after `requireOwnProject`.
 */
export interface DatacubeService {
  readonly append: Operation<"appendDatapoints">;
  readonly defineProduct: Operation<"defineProduct">;
  readonly getAois: Operation<"getAois">;
  readonly getCatalogue: Operation<"getCatalogue">;
  readonly getDatapoints: Operation<"getDatapoints">;
  readonly getProduct: Operation<"getProduct">;
  readonly getProductCatalogue: Operation<"getProductCatalogue">;
  readonly getSalesInfo: Operation<"getSalesInfo">;
  readonly saveAois: Operation<"saveAois">;
  readonly saveProject: Operation<"saveProject">;
  readonly exportDatapoints: ReturnType<typeof exportDatapoints>;
  /** @throws {ServiceError} DATA-NOT-AVAILABLE, NOT-AUTHORIZED for projects of others */
  requireOwnProject(caller: Caller, project: string): Promise<void>;
}

export function createDatacubeService(deps: ExportDatapointsDeps & SaveAoisDeps): DatacubeService {
  const { db } = deps;
  return {
    append: (caller, request) => appendForCaller(db, caller, request),
    defineProduct: (_caller, request) => defineProduct(db, request),
    getAois: (caller, request, signal) => getAois(deps, caller, request, signal),
    getCatalogue: (caller, request) => getCatalogue(db, caller, request),
    getDatapoints: (caller, request, signal) => getDatapoints(deps, caller, request, signal),
    getProduct: (caller, request) => getProduct(db, caller, request),
    getProductCatalogue: (caller, request) => getProductCatalogue(db, caller, request),
    getSalesInfo: (_caller, request) => getSalesInfo(db, request),
    saveAois: (caller, request, signal) => saveAois(deps, caller, request, signal),
    saveProject: (caller, request) => saveProject(deps, caller, request),
    exportDatapoints: exportDatapoints(deps),
    requireOwnProject: async (caller, project) => {
      await requireOwnProject(db, caller, project);
    },
  };
}

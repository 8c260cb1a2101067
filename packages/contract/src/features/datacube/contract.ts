import type { FeatureContract } from "../../kit/contract.ts";
import { getAois, getCatalogue, saveAois, saveProject } from "./areas-contract.ts";
import { appendDatapoints, exportDatapoints, getDatapoints } from "./points-contract.ts";
import { defineProduct, getProduct, getProductCatalogue, getSalesInfo } from "./products-contract.ts";

export const datacubeContract = {
  appendDatapoints,
  defineProduct,
  exportDatapoints,
  getAois,
  getCatalogue,
  getDatapoints,
  getProduct,
  getProductCatalogue,
  getSalesInfo,
  saveAois,
  saveProject,
} as const satisfies FeatureContract;

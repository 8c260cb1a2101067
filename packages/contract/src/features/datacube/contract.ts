import type { FeatureContract } from "../../kit/contract.ts";
import { getAois, getCatalogue, saveAois, saveProject } from "./areas-contract.ts";
import { appendDatapoints, exportDatapoints, getDatapoints } from "./points-contract.ts";

export const datacubeContract = {
  appendDatapoints,
  exportDatapoints,
  getAois,
  getCatalogue,
  getDatapoints,
  saveAois,
  saveProject,
} as const satisfies FeatureContract;

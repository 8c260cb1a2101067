import { taskingContract } from "@swath/contract/features/tasking/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";

export const tasking = defineFeature({
  name: "tasking",
  contract: taskingContract,
  needs: [],
  create: () => ({}),
  handlers: () => ({}),
});

import { featureStoreContract } from "@swath/contract/features/feature-store/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { featureStoreHandlers } from "./handlers.ts";
import { createFeatureStoreService } from "./service.ts";

export const featureStore = defineFeature({
  name: "featureStore",
  contract: featureStoreContract,
  needs: ["areas", "db", "featureTests"],
  create: ({ areas, db, featureTests: tests }) => createFeatureStoreService({ areas, db, tests }),
  handlers: featureStoreHandlers,
});

import { apiKeysContract } from "@swath/contract/features/api-keys/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { audit } from "../audit/feature.ts";
import { users } from "../users/feature.ts";
import { apiKeysHandlers } from "./handlers.ts";
import { createApiKeyService } from "./service.ts";

export const apiKeys = defineFeature({
  name: "apiKeys",
  contract: apiKeysContract,
  needs: ["clock", "db", audit, users],
  create: createApiKeyService,
  handlers: apiKeysHandlers,
});

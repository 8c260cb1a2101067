import { mfaContract } from "@swath/contract/features/mfa/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { users } from "../users/feature.ts";
import { mfaHandlers } from "./handlers.ts";
import { createMfaService } from "./service.ts";

export const mfa = defineFeature({
  name: "mfa",
  contract: mfaContract,
  needs: ["db", "identity", "secondFactor", users],
  create: ({ identity, ...needs }) => createMfaService({ ...needs, builtIn: identity.builtIn !== null }),
  handlers: mfaHandlers,
});

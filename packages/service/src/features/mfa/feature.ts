import { mfaContract } from "@swath/contract/features/mfa/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { mfaHandlers } from "./handlers.ts";
import { createMfaService } from "./service.ts";

export const mfa = defineFeature({
  name: "mfa",
  contract: mfaContract,
  needs: ["db", "identity", "secondFactor"],
  create: ({ db, identity, secondFactor }) =>
    createMfaService({ db, secondFactor, builtIn: identity.builtIn !== null }),
  handlers: mfaHandlers,
});

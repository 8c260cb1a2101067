import { sessionsContract } from "@swath/contract/features/sessions/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { audit } from "../audit/feature.ts";
import { users } from "../users/feature.ts";
import { sessionsHandlers } from "./handlers.ts";
import { createSessionService } from "./service.ts";

export const sessions = defineFeature({
  name: "sessions",
  contract: sessionsContract,
  needs: ["clock", "db", audit, users],
  create: createSessionService,
  handlers: sessionsHandlers,
});

import { usersContract } from "@swath/contract/features/users/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { audit } from "../audit/feature.ts";
import { usersHandlers } from "./handlers.ts";
import { createUserService } from "./service.ts";

export const users = defineFeature({
  name: "users",
  contract: usersContract,
  needs: ["clock", "db", "identity", "rights", audit],
  create: createUserService,
  handlers: usersHandlers,
});

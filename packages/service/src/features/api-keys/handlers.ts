import type { Handlers } from "../../platform/context.ts";
import type { apiKeysContract } from "@swath/contract/features/api-keys/contract";
import type { ApiKeyService } from "./service.ts";

export function apiKeysHandlers(service: ApiKeyService): Handlers<typeof apiKeysContract> {
  return {
    create: (request, { caller, requestId }) => service.create(caller, request, requestId),
    list: ({ userId }, { caller }) => service.list(caller, userId),
    revoke: (request, { caller, requestId }) => service.revoke(caller, request, requestId),
  };
}

import type { webhooksContract } from "@swath/contract/features/webhooks/contract";
import type { Handlers } from "../../platform/context.ts";
import { listDeliveries, replay } from "./deliveries.ts";
import {
  changeWebhook,
  createWebhook,
  listWebhooks,
  removeWebhook,
  rotateWebhook,
  testWebhook,
  type WebhookDeps,
} from "./service.ts";

export function webhooksHandlers(deps: WebhookDeps): Handlers<typeof webhooksContract> {
  const { db } = deps;
  return {
    create: (request, context) => createWebhook(deps, context, request),
    list: (_request, { caller }) => listWebhooks(db, caller),
    update: (request, context) => changeWebhook(deps, context, request),
    rotate: (request, context) => rotateWebhook(deps, context, request),
    test: (request, { caller }) => testWebhook(deps, caller, request),
    deliveries: (request, { caller }) => listDeliveries(db, caller, request),
    replay: (request, { caller }) => replay(db, caller, request),
    delete: (request, context) => removeWebhook(deps, context, request),
  };
}

import type { stapiContract } from "@swath/contract/features/stapi/contract";
import { Created } from "../../platform/created.ts";
import type { Handlers } from "../../platform/context.ts";
import { CONFORMANCE } from "./conformance.ts";
import { landingDocument } from "./landing.ts";
import { openApiDocument } from "./openapi-document.ts";
import { readPreference } from "./preference.ts";
import type { StapiService } from "./service.ts";

export function stapiHandlers(service: StapiService): Handlers<typeof stapiContract> {
  return {
    landing: async (_request, { baseUrl }) => landingDocument(baseUrl),
    conformance: async () => ({ conformsTo: [...CONFORMANCE] }),
    api: async (_request, { baseUrl }) => openApiDocument(baseUrl),
    products: (query, context) => service.products(query, context),
    product: ({ productId }, context) => service.product(productId, context),
    queryables: ({ productId }, context) => service.queryables(productId, context),
    orderParameters: ({ productId }, context) => service.orderParameters(productId, context),
    async searchOpportunities(request, context) {
      const preference = readPreference(context.headers?.["prefer"]);
      const answer = await service.searchOpportunities(request, preference, context);
      if (answer.kind === "found") return answer.document;
      const applied = preference.isAsync ? { "preference-applied": "respond-async" } : {};
      return new Created(answer.document, answer.location, applied);
    },
    opportunities: ({ productId, searchId, ...query }, context) =>
      service.opportunities(productId, searchId, query, context),
    searches: (query, context) => service.searches(query, context),
    search: ({ searchId }, context) => service.search(searchId, context),
    searchStatuses: ({ searchId }, context) => service.searchStatuses(searchId, context),
    async createOrder(request, context) {
      const { document, location } = await service.createOrder(request, keyOf(context.headers), context);
      return new Created(document, location);
    },
    productOrders: ({ productId, ...query }, context) => service.orders(productId, query, context),
    orders: (query, context) => service.orders(null, query, context),
    order: ({ orderId }, context) => service.order(orderId, context),
    orderStatuses: ({ orderId, ...query }, context) => service.orderStatuses(orderId, query, context),
  };
}

/** The key of a request; the draft of the header writes it in quotes. */
function keyOf(headers: Readonly<Record<string, string | undefined>> = {}): string | undefined {
  const key = headers["idempotency-key"];
  return key === undefined ? undefined : (/^"(.+)"$/u.exec(key)?.[1] ?? key);
}

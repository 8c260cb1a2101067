import { Type, type Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { CursorSchema, NextCursorSchema } from "../../kit/schemas/paging.ts";
import { EventTypeSchema, EventTypesSchema } from "../events/event-schema.ts";

export const MAX_WEBHOOKS_PER_USER = 20;
/** Time in which the former secret signs too. */
export const ROTATION_HOURS = 24;

const UUID = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";
const DateTime = Type.String({ description: "ISO 8601 date-time, UTC", examples: ["2026-03-01T12:00:00.000Z"] });
const MaybeTime = (description: string) => Type.Union([DateTime, Type.Null()], { description });
const WebhookId = Type.String({ description: "20 characters of [0-9A-Za-z]", pattern: "^[0-9A-Za-z]{20}$" });
const Url = Type.String({
  description: "Address that events are posted to, https, or http where the operator allows the host",
  minLength: 8,
  maxLength: 2_000,
  pattern: "^https?://[^\\s]+$",
  examples: ["https://hooks.example.org/swath"],
});
const Description = Type.String({ maxLength: 200, pattern: "^[^\\u0000]*$" });
const Secret = Type.String({
  description: "`whsec_` and the key in base64; shown once",
  examples: ["whsec_C2FVsBQIhrscChlQIMV-"],
});

const webhookMembers = {
  id: WebhookId,
  url: Type.String(),
  types: EventTypesSchema,
  description: Type.String(),
  enabled: Type.Boolean(),
  disabledReason: Type.Union([Type.String(), Type.Null()], { description: "Why the service disabled it" }),
  failingSince: MaybeTime("First failure since the last delivery; null: none"),
  pending: Type.Integer({ description: "Deliveries that wait or are tried again; at most 1,000 are counted" }),
  createdAt: DateTime,
  updatedAt: DateTime,
};
export const Webhook = Type.Object(webhookMembers, { title: "Webhook" });
export type Webhook = Static<typeof Webhook>;

const WebhookWithSecret = Type.Object({ ...webhookMembers, secret: Secret }, { title: "WebhookWithSecret" });

const Attempt = Type.Object({
  at: DateTime,
  status: Type.Union([Type.Integer(), Type.Null()], { description: "HTTP status; null without an answer" }),
  durationMs: Type.Integer(),
  error: Type.Union([Type.String(), Type.Null()]),
});

export const Delivery = Type.Object(
  {
    eventId: Type.String({ description: "`webhook-id`" }),
    position: Type.Integer(),
    type: EventTypeSchema,
    subject: Type.String(),
    status: Type.Enum(["pending", "delivered", "failed"]),
    attempts: Type.Integer({ description: "Since the event or its replay" }),
    nextAttemptAt: MaybeTime("When it is tried next; null: never"),
    log: Type.Array(Attempt, { description: "The last attempts, oldest first" }),
    createdAt: DateTime,
  },
  { title: "Delivery" },
);
export type Delivery = Static<typeof Delivery>;

export const webhooksContract = {
  create: defineOperation({
    path: "/webhook/create",
    permissions: ["webhook.create"],
    unknownMembers: "refuse",
    summary: "Create a webhook: events of the caller are posted to an address",
    description:
      `A caller has at most ${MAX_WEBHOOKS_PER_USER}. The secret is answered once. Deliveries follow Standard Webhooks ` +
      "and are repeated over three days. Private addresses are refused unless the operator allows the host.",
    request: Type.Object({
      url: Url,
      types: Type.Optional(EventTypesSchema),
      description: Type.Optional(Description),
    }),
    response: WebhookWithSecret,
    errors: ["CONFLICT", "VALIDATION-ERROR"],
  }),
  list: defineOperation({
    path: "/webhook/list",
    permissions: ["webhook.list"],
    summary: "List the webhooks of the caller, newest first",
    request: Type.Object({}),
    response: Type.Object({ results: Type.Array(Webhook) }),
  }),
  update: defineOperation({
    path: "/webhook/update",
    permissions: ["webhook.update"],
    unknownMembers: "refuse",
    summary: "Change, enable or disable a webhook of the caller",
    description: "Enabling a webhook tries its waiting deliveries at once. Events of the time in between are not sent.",
    request: Type.Object({
      id: WebhookId,
      url: Type.Optional(Url),
      types: Type.Optional(EventTypesSchema),
      description: Type.Optional(Description),
      enabled: Type.Optional(Type.Boolean()),
    }),
    response: Webhook,
    errors: ["NON-EXISTENT-WEBHOOK", "VALIDATION-ERROR"],
  }),
  rotate: defineOperation({
    path: "/webhook/rotate",
    permissions: ["webhook.update"],
    unknownMembers: "refuse",
    summary: "Give a webhook of the caller a new secret",
    description: `The former secret signs too for ${ROTATION_HOURS} hours.`,
    request: Type.Object({ id: WebhookId }),
    response: WebhookWithSecret,
    errors: ["NON-EXISTENT-WEBHOOK"],
  }),
  test: defineOperation({
    path: "/webhook/test",
    permissions: ["webhook.update"],
    summary: "Send an event of the type webhook.test to a webhook of the caller",
    request: Type.Object({ id: WebhookId }),
    response: Type.Object({}),
    errors: ["NON-EXISTENT-WEBHOOK", "CONFLICT"],
  }),
  deliveries: defineOperation({
    path: "/webhook/deliveries",
    permissions: ["webhook.list"],
    summary: "List deliveries of a webhook of the caller with their attempts, newest first",
    request: Type.Object({
      id: WebhookId,
      status: Type.Optional(Type.Enum(["pending", "delivered", "failed"])),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
      cursor: Type.Optional(CursorSchema),
    }),
    response: Type.Object({ results: Type.Array(Delivery), cursor: NextCursorSchema }),
    errors: ["NON-EXISTENT-WEBHOOK", "INVALID-CURSOR"],
  }),
  replay: defineOperation({
    path: "/webhook/replay",
    permissions: ["webhook.update"],
    unknownMembers: "refuse",
    summary: "Send deliveries of a webhook of the caller again",
    description: "One event, or all from `from` to `to`, at most 1,000; `status` chooses failed ones.",
    request: Type.Object({
      id: WebhookId,
      eventId: Type.Optional(Type.String({ pattern: UUID })),
      from: Type.Optional(
        Type.String({ description: "Events of this time or later, ISO 8601", minLength: 10, maxLength: 40 }),
      ),
      to: Type.Optional(
        Type.String({ description: "Events before this time, ISO 8601", minLength: 10, maxLength: 40 }),
      ),
      status: Type.Optional(Type.Enum(["delivered", "failed"])),
    }),
    response: Type.Object({ replayed: Type.Integer({ minimum: 0, maximum: 1_000 }) }),
    errors: ["NON-EXISTENT-WEBHOOK", "VALIDATION-ERROR"],
  }),
  delete: defineOperation({
    path: "/webhook/delete",
    permissions: ["webhook.delete"],
    unknownMembers: "refuse",
    summary: "Delete a webhook of the caller with its deliveries",
    request: Type.Object({ id: WebhookId }),
    response: Type.Object({}),
    errors: ["NON-EXISTENT-WEBHOOK"],
  }),
} as const satisfies FeatureContract;

import { Type } from "typebox";
import type { Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { CursorSchema, NextCursorSchema } from "../../kit/schemas/paging.ts";

// Values are looked up as they are: without control characters, which no identifier has.
const Filter = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 256, pattern: "^[^\\u0000-\\u001f]*$" });
const Instant = (description: string) => Type.String({ description, minLength: 10, maxLength: 40 });
const MaybeText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const AuditEntry = Type.Object(
  {
    id: Type.Integer(),
    time: Type.String({ description: "ISO 8601 date-time, UTC", examples: ["2026-03-01T12:00:00.000Z"] }),
    actor: Type.Object({
      kind: Type.String({ description: "credential of the request: user, api-key or system" }),
      id: MaybeText("User; null for the system"),
      email: MaybeText("Of the user at that time"),
    }),
    requestId: MaybeText("Request-Id of the request"),
    action: Type.String({ examples: ["user.block"] }),
    target: Type.Object({ kind: Type.String({ examples: ["user"] }), id: Type.String() }),
    before: Type.Unknown({ description: "Changed members before the change; null for a new target" }),
    after: Type.Unknown({ description: "Changed members after the change" }),
  },
  { description: "A change of rights, money or assets" },
);

export const AuditListRequest = Type.Object({
  actor: Type.Optional(Filter("Changes by this user id")),
  action: Type.Optional(Filter("Changes of this kind, such as user.block")),
  target: Type.Optional(Filter("Changes of the target with this id")),
  from: Type.Optional(Instant("Changes at this time or later, ISO 8601")),
  to: Type.Optional(Instant("Changes before this time, ISO 8601")),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
  cursor: Type.Optional(CursorSchema),
});
export type AuditListRequest = Static<typeof AuditListRequest>;

export const AuditList = Type.Object({ results: Type.Array(AuditEntry), cursor: NextCursorSchema });
export type AuditList = Static<typeof AuditList>;

export const auditContract = {
  list: defineOperation({
    path: "/audit/list",
    permissions: ["admin.audit.list"],
    summary: "List changes of rights, money and assets, newest first",
    request: AuditListRequest,
    response: AuditList,
    errors: ["INVALID-CURSOR"],
  }),
} as const satisfies FeatureContract;

import { Type } from "typebox";
import type { Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";

const DateTime = Type.String({ description: "ISO 8601 date-time, UTC", examples: ["2026-03-01T12:00:00.000Z"] });
const KeyId = Type.String({ description: "12 characters of [0-9A-Za-z]", minLength: 12, maxLength: 12 });

/** Keys one user may have, expired ones included until they are revoked. */
export const MAX_KEYS_PER_USER = 50;
const MAX_LIFETIME_DAYS = 366;
export const DEFAULT_LIFETIME_DAYS = 90;
const MAX_KEY_PERMISSIONS = 200;

const apiKeyMembers = {
  id: KeyId,
  name: Type.String(),
  prefix: Type.String({ description: "First characters of the key", examples: ["key_4fTz0QmW81Lb"] }),
  permissions: Type.Array(Type.String(), {
    description: "Permissions of the key; each request also needs the permission of its owner",
  }),
  createdAt: DateTime,
  expiresAt: DateTime,
  lastUsed: Type.Union([DateTime, Type.Null()], { description: "Last use, to the minute; null: never" }),
};

export const ApiKey = Type.Object(apiKeyMembers, { title: "ApiKey", description: "An API key without its secret" });
export type ApiKey = Static<typeof ApiKey>;

export const CreateApiKeyRequest = Type.Object({
  name: Type.String({ description: "Display name", minLength: 1, maxLength: 100, pattern: "\\S" }),
  permissions: Type.Array(Type.String({ minLength: 1, maxLength: 256, pattern: "^[^.\\s]+(\\.[^.\\s]+)*$" }), {
    description: "Permissions within the permissions of the caller",
    minItems: 1,
    maxItems: MAX_KEY_PERMISSIONS,
    examples: [["imagery", "credits.check-area"]],
  }),
  expiresInDays: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_LIFETIME_DAYS, default: DEFAULT_LIFETIME_DAYS }),
  ),
});
export type CreateApiKeyRequest = Static<typeof CreateApiKeyRequest>;

export const CreatedApiKey = Type.Object({
  ...apiKeyMembers,
  key: Type.String({ description: "Authorization: Bearer <key>; shown once" }),
});
export type CreatedApiKey = Static<typeof CreatedApiKey>;

const OwnerId = Type.Optional(
  Type.String({
    description: "Another user, which needs admin.users.manage",
    minLength: 1,
    maxLength: 128,
    pattern: "^[^\\u0000-\\u001f]*$",
  }),
);

/** Keys of other users are a matter of administrators. */
const ofOthers = ({ userId }: { readonly userId?: string | undefined }): readonly string[] =>
  userId === undefined ? [] : ["admin.users.manage"];

export const apiKeysContract = {
  create: defineOperation({
    path: "/user/api-key/create",
    unknownMembers: "refuse",
    summary: "Create an API key of the caller",
    description:
      `A caller has at most ${MAX_KEYS_PER_USER}. A key is sent like a token; operations that need a user token refuse it ` +
      "with 403.",
    access: "user",
    request: CreateApiKeyRequest,
    response: CreatedApiKey,
    errors: ["CONFLICT"],
  }),
  list: defineOperation({
    path: "/user/api-key/list",
    summary: "List the API keys of the caller or of another user, newest first",
    access: "user",
    conditionalPermissions: ["admin.users.manage"],
    dynamicPermissions: ofOthers,
    request: Type.Object({ userId: OwnerId }),
    response: Type.Object({ results: Type.Array(ApiKey) }),
  }),
  revoke: defineOperation({
    path: "/user/api-key/revoke",
    unknownMembers: "refuse",
    summary: "Revoke an API key of the caller or of another user",
    description: "Only administrators revoke keys of administrators.",
    access: "user",
    conditionalPermissions: ["admin.users.manage"],
    dynamicPermissions: ofOthers,
    request: Type.Object({ id: KeyId, userId: OwnerId }),
    response: Type.Object({}),
    errors: ["NON-EXISTENT-API-KEY"],
  }),
} as const satisfies FeatureContract;

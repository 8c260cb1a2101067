import { Type } from "typebox";
import type { Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";

const DateTime = (description: string) =>
  Type.String({ description: `${description}, ISO 8601, UTC`, examples: ["2026-03-01T12:00:00.000Z"] });

const SessionId = Type.String({
  description: "16 characters of [A-Za-z0-9_-]",
  minLength: 16,
  maxLength: 16,
  pattern: "^[A-Za-z0-9_-]*$",
});

const UserId = Type.Optional(
  Type.String({
    description: "Another user, which needs admin.users.manage",
    minLength: 1,
    maxLength: 128,
    pattern: "^[^\\u0000-\\u001f]*$",
  }),
);

const Session = Type.Object(
  {
    id: SessionId,
    startedAt: DateTime("Sign-in"),
    lastUsed: DateTime("Last token, at most 15 minutes before the last request"),
    expiresAt: DateTime("End without further use"),
    secondFactor: Type.Boolean({ description: "Whether the sign-in proved a second factor" }),
  },
  { title: "Session", description: "A browser that is signed in to the console" },
);
export type Session = Static<typeof Session>;

export const ListSessionsRequest = Type.Object({ userId: UserId });
export type ListSessionsRequest = Static<typeof ListSessionsRequest>;

export const EndSessionsRequest = Type.Object({
  id: Type.Optional({ ...SessionId, description: "Only this session; by default all, and all tokens of the user" }),
  userId: UserId,
});
export type EndSessionsRequest = Static<typeof EndSessionsRequest>;

/** Sessions of other users are a matter of administrators. */
const ofOthers = ({ userId }: { readonly userId?: string | undefined }): readonly string[] =>
  userId === undefined ? [] : ["admin.users.manage"];

export const sessionsContract = {
  list: defineOperation({
    path: "/user/session/list",
    summary: "List the browsers that are signed in, the last used first",
    description: "Of the caller or of another user, at most 20.",
    access: "user",
    conditionalPermissions: ["admin.users.manage"],
    dynamicPermissions: ofOthers,
    request: ListSessionsRequest,
    response: Type.Object({ results: Type.Array(Session) }),
  }),
  end: defineOperation({
    path: "/user/session/end",
    unknownMembers: "refuse",
    summary: "End one session or all sessions and tokens of a user",
    description:
      "Of the caller or of another user. A token of a single ended session works for 15 minutes at most. Without an " +
      "id every token of the user ends, including the token of this request; API keys stay. Only administrators end " +
      "sessions of administrators.",
    access: "user",
    conditionalPermissions: ["admin.users.manage"],
    dynamicPermissions: ofOthers,
    request: EndSessionsRequest,
    response: Type.Object({ ended: Type.Integer({ description: "Sessions that ended", minimum: 0 }) }),
  }),
} as const satisfies FeatureContract;

import { Type } from "typebox";
import { defineOperation } from "../../kit/operation.ts";

/** Links that one user may have at a time. */
export const MAX_LINKS_PER_USER = 200;
const DAY_S = 24 * 60 * 60;
export const DEFAULT_LINK_LIFETIME_S = 30 * DAY_S;

const LinkId = Type.String({ description: "16 characters", pattern: "^[0-9A-Za-z_-]{16}$" });
const Instant = (description: string) =>
  Type.String({ description: `${description}, ISO 8601 in UTC`, examples: ["2026-05-04T10:20:30.000Z"] });

const CreateLinkRequest = Type.Object({
  mapId: Type.String({ description: "signed map ID of a release", minLength: 1, maxLength: 4096 }),
  expiresInSeconds: Type.Optional(
    Type.Integer({
      description: "lifetime of the link, at most the rest of the lifetime of `mapId`",
      minimum: 60,
      maximum: 365 * DAY_S,
      default: DEFAULT_LINK_LIFETIME_S,
    }),
  ),
  name: Type.Optional(
    Type.String({ description: "shown in the list of links", minLength: 1, maxLength: 100, pattern: "\\S" }),
  ),
});

const MapLink = Type.Object(
  {
    linkId: LinkId,
    mapId: Type.String({ description: "signed map ID of the link: it works wherever a map ID is taken" }),
    mapType: Type.String(),
    name: Type.Union([Type.String(), Type.Null()]),
    createdAt: Instant("creation"),
    expiresAt: Instant("end of the link"),
  },
  { title: "MapLink" },
);

export type CreateLinkRequest = Type.Static<typeof CreateLinkRequest>;
export type MapLink = Type.Static<typeof MapLink>;

export const createLink = defineOperation({
  path: "/mapsvc/link/create",
  unknownMembers: "refuse",
  access: "bearer",
  summary: "Make a link to a map that expires and can be revoked",
  description:
    "The answer has a map ID of the same map and tiles. Any holder may read the map, without an account. " +
    `A user has at most ${MAX_LINKS_PER_USER} links. Links end with the account of their owner. ` +
    "Links of links are refused.",
  request: CreateLinkRequest,
  response: MapLink,
  errors: ["INVALID-MAP-ID", "CONFLICT"],
});

export const listLinks = defineOperation({
  path: "/mapsvc/link/list",
  access: "bearer",
  summary: "List the links of the caller that work, newest first",
  request: Type.Object({}),
  response: Type.Object({ results: Type.Array(MapLink, { maxItems: MAX_LINKS_PER_USER }) }),
});

export const revokeLink = defineOperation({
  path: "/mapsvc/link/revoke",
  unknownMembers: "refuse",
  access: "bearer",
  summary: "Revoke a link of the caller",
  description: "The map ID of the link is answered INVALID-MAP-ID at once, by other processes within 5 seconds.",
  request: Type.Object({ linkId: LinkId }),
  response: Type.Object({}),
  errors: ["NON-EXISTENT-LINK"],
});

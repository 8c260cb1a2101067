import { textVariable, urlVariable, type Variable } from "./variable.ts";

/** Settings of an external OpenID Connect issuer. */
export const issuerVariables = {
  oidcIssuer: urlVariable({
    name: "SWATH_OIDC_ISSUER",
    schemes: ["http", "https"],
    shownDefault: "the built-in provider",
    description: "OpenID Connect issuer of the accepted tokens; it turns the built-in provider off.",
  }),
  oidcAudience: textVariable({
    name: "SWATH_OIDC_AUDIENCE",
    default: null,
    description: "Audience that tokens of SWATH_OIDC_ISSUER must name; required with it.",
  }),
  oidcClientId: textVariable({
    name: "SWATH_OIDC_CLIENT_ID",
    default: null,
    shownDefault: "none: `swath login` and the console cannot use the issuer",
    description:
      "Public client of SWATH_OIDC_ISSUER with which `swath login` and the console sign users in: device flow, or code flow " +
      "with PKCE. Its redirect addresses are `http://127.0.0.1/callback` on any port, and `/console/signed-in` of the service.",
  }),
  oidcScope: textVariable({
    name: "SWATH_OIDC_SCOPE",
    default: "openid email profile",
    description: "Scopes for which `swath login` asks, between spaces.",
  }),
  oidcResource: textVariable({
    name: "SWATH_OIDC_RESOURCE",
    default: null,
    description:
      "Resource for which `swath login` asks (RFC 8707), at issuers that need one for a token with SWATH_OIDC_AUDIENCE.",
  }),
  oidcNewUserGroup: textVariable({
    name: "SWATH_OIDC_NEW_USER_GROUP",
    default: null,
    shownDefault: "unknown users are refused",
    description:
      "Name of a group, which must exist at start. The first request of an unknown user of SWATH_OIDC_ISSUER with a verified " +
      "e-mail creates the user in it. With SWATH_OIDC_GROUPS_CLAIM it is the group of users whose token names none.",
  }),
  oidcGroupsClaim: textVariable({
    name: "SWATH_OIDC_GROUPS_CLAIM",
    default: null,
    shownDefault: "groups are managed here",
    description:
      "Claim with the groups of a user, such as `groups` or `realm_access.roles`. Memberships follow each newer token, and " +
      "the first request of an unknown user with a group and a verified e-mail creates the user.",
  }),
  oidcGroups: textVariable({
    name: "SWATH_OIDC_GROUPS",
    default: null,
    shownDefault: "a value is the name of a group",
    description:
      "Values of SWATH_OIDC_GROUPS_CLAIM and the groups they stand for, such as `gis-team=Analysts,gis-lead=Managers`. The " +
      "groups must exist at start; other values count for nothing, and other memberships stay as they are.",
  }),
  oidcOrganizationClaim: textVariable({
    name: "SWATH_OIDC_ORGANIZATION_CLAIM",
    default: null,
    description:
      "Claim with the name of the organisation of a user. With it only groups of this organisation count, and a token " +
      "without it has none.",
  }),
} as const;

/** How claims of a token name groups. */
export interface ClaimMapping {
  readonly groupsClaim: string;
  /** Groups by values of the claim; null: a value is the name of a group. */
  readonly groups: ReadonlyMap<string, string> | null;
  /** Null: groups of every organisation count. */
  readonly organizationClaim: string | null;
}

export interface IssuerSettings {
  readonly issuer: string;
  readonly audience: string;
  /** For `swath login`; null: it cannot use the issuer. */
  readonly clientId: string | null;
  readonly scope: string;
  readonly resource: string | null;
  /** Group of users made at their first request; null: none are made. */
  readonly newUserGroup: string | null;
  /** Null: claims name no groups. */
  readonly mapping: ClaimMapping | null;
}

type Read = <Value>(variable: Variable<Value>) => Value;

/** Null without an issuer; adds a fault for each setting that needs another one. */
export function issuerSettings(read: Read, faults: string[]): IssuerSettings | null {
  const v = issuerVariables;
  const issuer = read(v.oidcIssuer);
  const audience = read(v.oidcAudience);
  if (issuer === null) return null;
  const mapping = claimMapping(read, faults);
  if (audience === null) {
    faults.push(`${v.oidcAudience.name}: required with ${v.oidcIssuer.name}`);
    return null;
  }
  return {
    issuer,
    audience,
    clientId: read(v.oidcClientId),
    scope: read(v.oidcScope),
    resource: read(v.oidcResource),
    newUserGroup: read(v.oidcNewUserGroup),
    mapping,
  };
}

function claimMapping(read: Read, faults: string[]): ClaimMapping | null {
  const v = issuerVariables;
  const groupsClaim = read(v.oidcGroupsClaim);
  const organizationClaim = read(v.oidcOrganizationClaim);
  const text = read(v.oidcGroups);
  if (groupsClaim === null) {
    for (const { name, value } of [
      { name: v.oidcGroups.name, value: text },
      { name: v.oidcOrganizationClaim.name, value: organizationClaim },
    ]) {
      if (value !== null) faults.push(`${name}: needs ${v.oidcGroupsClaim.name}`);
    }
    return null;
  }
  return {
    groupsClaim,
    groups: text === null ? null : groupsByValue(text, v.oidcGroups.name, faults),
    organizationClaim,
  };
}

function groupsByValue(text: string, variable: string, faults: string[]): ReadonlyMap<string, string> {
  const groups = new Map<string, string>();
  for (const pair of text.split(",").filter((part) => part.trim() !== "")) {
    const at = pair.lastIndexOf("=");
    const [value, group] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (at > 0 && value !== "" && group !== "") groups.set(value, group);
    else faults.push(`${variable}: got "${pair.trim()}", expected value=group, such as gis-team=Analysts`);
  }
  return groups;
}

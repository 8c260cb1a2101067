import type { ExtraPath } from "../contract-kit/openapi.ts";

const credentials = {
  type: "object",
  required: ["username", "password"],
  properties: {
    username: { type: "string", description: "e-mail" },
    password: { type: "string" },
    grant_type: { type: "string", examples: ["password"] },
    client_id: { type: "string", description: "any" },
    connection: { type: "string", description: "any" },
    scope: { type: "string", default: "openid" },
  },
};

const failure = {
  type: "object",
  required: ["error", "error_description"],
  properties: { error: { type: "string" }, error_description: { type: "string" } },
};

function tokenPath(path: string, summary: string, members: Readonly<Record<string, unknown>>): ExtraPath {
  const failures = {
    400: "invalid_request",
    401: "invalid_grant: wrong e-mail or password, or the user is blocked",
    429: "too_many_attempts; see Retry-After",
  };
  return {
    path,
    method: "post",
    operation: {
      operationId: path.slice(1).replaceAll("/", "."),
      tags: ["identity"],
      summary,
      security: [],
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: credentials },
          "application/x-www-form-urlencoded": { schema: credentials },
        },
      },
      responses: {
        200: {
          description: "A token, valid for 10 hours",
          content: {
            "application/json": { schema: { type: "object", required: Object.keys(members), properties: members } },
          },
        },
        ...Object.fromEntries(
          Object.entries(failures).map(([status, description]) => [
            status,
            { description, content: { "application/json": { schema: failure } } },
          ]),
        ),
      },
    },
  };
}

function documentPath(path: string, summary: string): ExtraPath {
  return {
    path,
    method: "get",
    operation: {
      operationId: path.slice(1).replaceAll("/", "."),
      tags: ["identity"],
      summary,
      security: [],
      responses: { 200: { description: "Done", content: { "application/json": { schema: { type: "object" } } } } },
    },
  };
}

const text = { type: "string" };
const bearer = { const: "bearer" };

/** The built-in identity provider in the service's document. */
export const identityPaths: readonly ExtraPath[] = [
  tokenPath("/oauth/ro", "Token for e-mail and password; `id_token` is the one to use", {
    id_token: text,
    access_token: text,
    token_type: bearer,
    scope: text,
  }),
  tokenPath("/oauth2/token", "Token for e-mail and password", {
    access_token: text,
    expires_in: { type: "integer", description: "seconds" },
    token_type: bearer,
    userId: text,
  }),
  documentPath("/.well-known/jwks.json", "Public keys of the tokens"),
  documentPath("/.well-known/openid-configuration", "OpenID Connect discovery document"),
];

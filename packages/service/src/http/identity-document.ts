import type { ExtraPath } from "./openapi/openapi.ts";

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

const FAILURES: Readonly<Record<number, string>> = {
  400: "invalid_request",
  401: "invalid_grant: wrong e-mail, password or code, or the user is blocked",
  413: "invalid_request: the body is too large",
  429: "too_many_attempts; see Retry-After",
  500: "server_error",
  503: "server_error: try again after Retry-After",
};

function json(schema: object): object {
  return { "application/json": { schema } };
}

function tokenPath(
  path: string,
  summary: string,
  request: object,
  token: object,
  secondLeg: { readonly description: string; readonly schema: object },
): ExtraPath {
  return {
    path,
    method: "post",
    operation: {
      operationId: path.slice(1).replaceAll("/", "."),
      tags: ["identity"],
      summary,
      description: "The body may also be application/x-www-form-urlencoded.",
      security: [],
      requestBody: {
        required: true,
        // A second media type makes generators of clients write code that does not load.
        content: json(request),
      },
      responses: {
        200: { description: "A token, valid for 10 hours", content: json(token) },
        403: { description: secondLeg.description, content: json(secondLeg.schema) },
        ...Object.fromEntries(
          Object.entries(FAILURES).map(([status, description]) => [status, { description, content: json(failure) }]),
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

function objectOf(properties: Readonly<Record<string, object>>, optional: readonly string[] = []): object {
  return {
    type: "object",
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties,
  };
}

const idToken = objectOf({ id_token: text, access_token: text, token_type: bearer, scope: text });
const accessToken = objectOf({
  access_token: text,
  expires_in: { type: "integer", description: "seconds" },
  token_type: bearer,
  userId: text,
});
const mfaToken = { type: "string", description: "valid for 10 minutes, at /oauth/mfa only" };
const mfaRequired = {
  description: "mfa_required: the password is right; continue with POST /oauth/mfa",
  schema: objectOf({ error: { const: "mfa_required" }, error_description: text, mfa_token: mfaToken }),
};
const enrolment = {
  description: "mfa_enrollment_required: the new secret, shown once; repeat with mfa_token and a code",
  schema: objectOf({
    error: { const: "mfa_enrollment_required" },
    error_description: text,
    mfa_token: mfaToken,
    secret: { type: "string", description: "Base32" },
    otpauth_uri: text,
    recovery_codes: { type: "array", items: text },
  }),
};
const secondLeg = objectOf(
  {
    mfa_token: mfaToken,
    otp: { type: "string", description: "six digits of the authenticator application" },
    recovery_code: { type: "string", description: "instead of otp; each is valid once" },
    client_id: { type: "string", description: "any" },
  },
  ["otp", "recovery_code", "client_id"],
);

const consoleRequest = objectOf(
  {
    username: { type: "string", description: "e-mail; with password" },
    password: text,
    mfa_token: { type: "string", description: "of the first leg here; with otp or recovery_code" },
    otp: { type: "string", description: "six digits of the authenticator application" },
    recovery_code: { type: "string", description: "instead of otp; each is valid once" },
    query: { type: "string", description: "with which an external issuer has sent the browser back; no other member" },
  },
  ["username", "password", "mfa_token", "otp", "recovery_code", "query"],
);
const consoleHeader = {
  name: "X-Swath-Console",
  in: "header",
  required: true,
  description: "Scripts of other origins cannot send it",
  // A constant makes openapi-python-client leave the operation out.
  schema: { type: "string", pattern: "^1$", examples: ["1"] },
};

/** An operation of the session of the console. */
function consolePath(path: ExtraPath, description: string, done: object): ExtraPath {
  const { responses } = path.operation;
  const operation = { description, parameters: [consoleHeader], responses: { ...Object(responses), 200: done } };
  return { ...path, operation: { ...path.operation, ...operation } };
}

const consolePaths: readonly ExtraPath[] = [
  consolePath(
    tokenPath(
      "/console/session",
      "Sign in to the web console, or continue its session",
      consoleRequest,
      {},
      {
        description: "mfa_required or mfa_enrollment_required: repeat with mfa_token",
        schema: { anyOf: [mfaRequired.schema, enrolment.schema] },
      },
    ),
    "With `username` and `password`, then `mfa_token` and `otp`, it signs in. Without members it exchanges the cookie " +
      "of the session for a token and the next cookie. 401 `login_required`: the session is over. A cookie that was " +
      "exchanged more than 30 s ago ends its session. No other operation reads the cookie.",
    { description: "A token, valid for 15 minutes, and the cookie of the session", content: json(accessToken) },
  ),
  consolePath(
    tokenPath("/console/session/end", "Sign out of the web console", objectOf({}), {}, mfaRequired),
    "Ends the session of the cookie and removes the cookie. Tokens end with their 15 minutes.",
    {
      description: "Done",
      content: json(objectOf({ ended: { type: "boolean", description: "whether there was a cookie" } })),
    },
  ),
  consolePath(
    tokenPath("/console/sign-in", "Get the ways to sign in to the web console", objectOf({}), {}, mfaRequired),
    "By password, or at external issuers, which are named by their hosts.",
    {
      description: "The ways",
      content: json(objectOf({ password: { type: "boolean" }, issuers: { type: "array", items: text } })),
    },
  ),
  consolePath(
    tokenPath("/console/demonstration", "Get the login of the demonstration user", objectOf({}), {}, mfaRequired),
    "Only for readers on the machine of the service, while it listens on the loopback interface alone; 404 for others.",
    { description: "The login", content: json(objectOf({ email: text, password: text })) },
  ),
];

/** The paths of the console at a service with an external issuer. */
export const issuerConsolePaths: readonly ExtraPath[] = [
  ...consolePaths.filter(({ path }) => path !== "/console/demonstration"),
  consolePath(
    tokenPath("/console/sign-in/begin", "Begin a sign-in at the external issuer", objectOf({}), {}, mfaRequired),
    "Sets a cookie with the secrets of the sign-in, which is good for 15 minutes. The issuer sends the browser back to " +
      "`/console/signed-in`, whose query is `query` of `/console/session`.",
    { description: "The page of the issuer", content: json(objectOf({ address: text })) },
  ),
];

/** The built-in identity provider in the service's document. */
export const identityPaths: readonly ExtraPath[] = [
  ...consolePaths,
  tokenPath(
    "/oauth/mfa",
    "Complete a token request with a second factor",
    secondLeg,
    { oneOf: [idToken, accessToken] },
    enrolment,
  ),
  tokenPath("/oauth/ro", "Get a token for e-mail and password; use `id_token`", credentials, idToken, mfaRequired),
  tokenPath("/oauth2/token", "Get a token for e-mail and password", credentials, accessToken, mfaRequired),
  documentPath("/.well-known/jwks.json", "Public keys of the tokens"),
  documentPath("/.well-known/openid-configuration", "OpenID Connect discovery document"),
];

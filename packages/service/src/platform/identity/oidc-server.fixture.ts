import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import type { JWK } from "jose";
import { Provider } from "oidc-provider";
import { API_AUDIENCE, CALLBACK, CLIENT_ID, CONSOLE_CALLBACK } from "./oidc-testing.ts";
import type { Command, IssuerAccount, State } from "./oidc-testing.ts";

/*
 * The process of an OpenID Connect provider, controlled over its channel. Its first message is the address; it answers
 * each message with one.
 */

async function newKey(): Promise<Omit<State, "issuer">> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const described = { kid: randomBytes(8).toString("hex"), alg: "RS256", use: "sig" };
  return {
    privateJwk: { ...(await exportJWK(privateKey)), ...described },
    publicJwk: { ...(await exportJWK(publicKey)), ...described },
  };
}

function providerOf(issuer: string, privateJwk: JWK, accounts: ReadonlyMap<string, IssuerAccount>): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        application_type: "native",
        redirect_uris: [CALLBACK, CONSOLE_CALLBACK],
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"],
        response_types: ["code"],
      },
    ],
    jwks: { keys: [privateJwk] },
    cookies: { keys: ["only for tests"] },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...accounts.get(id) }) }),
    extraTokenClaims: async (_context, token) => ("accountId" in token ? { ...accounts.get(token.accountId) } : {}),
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    features: {
      devInteractions: { enabled: true },
      deviceFlow: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: "api",
          audience: API_AUDIENCE,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  });
}

async function serve(tell: (state: State) => void): Promise<void> {
  const accounts = new Map<string, IssuerAccount>();
  let handle: ReturnType<Provider["callback"]> | null = null;
  const server = createServer((request, response) => void handle?.(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  let key = await newKey();
  handle = providerOf(issuer, key.privateJwk, accounts).callback();

  const obey = async (command: Command): Promise<void> => {
    if (command.kind === "account") accounts.set(command.id, command.account);
    else {
      key = await newKey();
      handle = providerOf(issuer, key.privateJwk, accounts).callback();
    }
    tell({ issuer, ...key });
  };
  process.on("message", (command: Command) => void obey(command));
  process.on("disconnect", () => process.exit(0));
  tell({ issuer, ...key });
}

await serve((state) => void process.send?.(state));

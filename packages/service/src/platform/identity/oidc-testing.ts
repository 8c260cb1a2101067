import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { importJWK } from "jose";
import type { CryptoKey, JWK } from "jose";

export const API_AUDIENCE = "swath-api";
export const CLIENT_ID = "swath-web";
export const CALLBACK = "http://127.0.0.1/callback";
/** Of the console; a native client may add any port. */
export const CONSOLE_CALLBACK = "http://127.0.0.1/console/signed-in";
const RESOURCE = "urn:swath:api";

/** Claims of the issuer about one of its users. */
export interface IssuerAccount {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly amr?: readonly string[];
  readonly groups?: readonly string[];
  readonly org?: string;
}

export type Command =
  | { readonly kind: "account"; readonly id: string; readonly account: IssuerAccount }
  /** Sign with a new key from now on and show no other. */
  | { readonly kind: "rotate" };

/** The address of the issuer and the key that signs now. */
export interface State {
  readonly issuer: string;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

interface IssuedTokens {
  /** A JWT for the audience of the service. */
  readonly accessToken: string;
  /** A JWT for the client. */
  readonly idToken: string;
}

/** A certified OpenID Connect provider (`oidc-provider`) in a separate process on the loopback. */
export interface OidcServer extends AsyncDisposable {
  readonly issuer: string;
  /** Sets the claims about this user. */
  setAccount(id: string, account: IssuerAccount): Promise<void>;
  /** The present signing key, for tests of a stolen key. */
  signing(): Promise<{ readonly kid: string; readonly privateKey: CryptoKey; readonly publicJwk: JWK }>;
  /** The authorization code flow with PKCE through login and consent pages, as a browser does it. */
  signIn(accountId: string): Promise<IssuedTokens>;
  /** Signs with a new key from now on and shows no other. */
  rotate(): Promise<void>;
}

export async function oidcServer(): Promise<OidcServer> {
  const child = fork(join(import.meta.dirname, "oidc-server.fixture.ts"), { stdio: "ignore" });
  let state = await nextState(child);
  const { issuer } = state;
  async function command(one: Command): Promise<void> {
    const answer = nextState(child);
    child.send(one);
    state = await answer;
  }
  return {
    issuer,
    setAccount: (id, account) => command({ kind: "account", id, account }),
    async signing() {
      const { privateJwk, publicJwk } = state;
      const privateKey = await importJWK(privateJwk, "RS256");
      if (privateKey instanceof Uint8Array) throw new TypeError("the key is symmetric");
      return { kid: privateJwk.kid ?? "", privateKey, publicJwk };
    },
    signIn: (accountId) => signIn(issuer, accountId),
    rotate: () => command({ kind: "rotate" }),
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

async function nextState(child: ChildProcess): Promise<State> {
  const { promise, resolve, reject } = Promise.withResolvers<State>();
  const failed = (code: number | null): void => reject(new Error(`the issuer's process ended with ${code}`));
  child.once("message", (message) => {
    child.off("exit", failed);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other end is the fixture
    resolve(message as State);
  });
  child.once("exit", failed);
  return await promise;
}

/** Follows the pages from the authorization request to the code and exchanges it. */
async function signIn(issuer: string, accountId: string): Promise<IssuedTokens> {
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    client_id: CLIENT_ID,
    response_type: "code",
    redirect_uri: CALLBACK,
    scope: "openid email api",
    resource: RESOURCE,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const cookies = new Map<string, string>();
  const forms = [{ prompt: "login", login: accountId, password: "any" }, { prompt: "consent" }];
  let url = `${issuer}/auth?${query.toString()}`;
  let form: Record<string, string> | null = null;
  for (let step = 0; step < 12; step += 1) {
    const response = await fetch(url, {
      redirect: "manual",
      method: form === null ? "GET" : "POST",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === null ? {} : { body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location?.startsWith(CALLBACK)) {
      const code = new URL(location).searchParams.get("code");
      return await redeem(issuer, String(code), verifier);
    }
    form = null;
    if (location !== null) url = new URL(location, issuer).href;
    else {
      // A page with a form: its address takes what the page asks.
      form = forms.shift() ?? null;
      if (form === null) throw new Error(`the issuer answered ${response.status}: ${await response.text()}`);
    }
  }
  throw new Error("the issuer leads in circles");
}

async function redeem(issuer: string, code: string, verifier: string): Promise<IssuedTokens> {
  const response = await fetch(`${issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: CLIENT_ID,
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      resource: RESOURCE,
    }),
  });
  const answer: unknown = await response.json();
  if (
    typeof answer !== "object" ||
    answer === null ||
    !("access_token" in answer) ||
    !("id_token" in answer) ||
    typeof answer.access_token !== "string" ||
    typeof answer.id_token !== "string"
  ) {
    throw new Error(`the issuer answered ${response.status}: ${JSON.stringify(answer)}`);
  }
  return { accessToken: answer.access_token, idToken: answer.id_token };
}

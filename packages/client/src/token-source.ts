import { sendWithRetries } from "./transport.ts";
import type { Fetch, RetryOptions } from "./transport.ts";

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Where the token of a request comes from. */
export interface TokenSource {
  /** Null: the request goes without. */
  token(signal?: AbortSignal): Promise<string | null>;
  /** Forgets a token the service refused; false when there is no way to another one. */
  refused(token: string): boolean;
}

/** A token is replaced this long before it expires, milliseconds: longer than any request waits. */
const REFRESH_AHEAD_MS = 300_000;

export function fixedToken(token: string | (() => string | Promise<string>) | null): TokenSource {
  return {
    token: async () => (typeof token === "function" ? token() : token),
    refused: () => false,
  };
}

interface Held {
  readonly token: string;
  /** By the local clock. */
  readonly refreshAtMs: number;
}

/** Logs in when a token is first needed, and again before it expires. Calls at once share one login. */
export function passwordTokens(options: {
  readonly authUrl: string;
  readonly credentials: Credentials;
  readonly fetch: Fetch;
  readonly retry: RetryOptions;
}): TokenSource {
  let held: Promise<Held> | null = null;

  async function login(): Promise<Held> {
    const body = JSON.stringify({
      client_id: "swath",
      username: options.credentials.username,
      password: options.credentials.password,
      connection: "swath",
      grant_type: "password",
      scope: "openid",
    });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    const answer = await sendWithRetries(
      options.fetch,
      options.retry,
      `${options.authUrl}/oauth/ro`,
      async () => init,
      undefined,
    );
    const granted: unknown = await answer.json();
    const token: unknown = typeof granted === "object" && granted !== null ? Reflect.get(granted, "id_token") : null;
    if (typeof token !== "string") throw new TypeError("the token request was answered without an id_token");
    return { token, refreshAtMs: Date.now() + Math.max(0, lifetimeMs(token) - REFRESH_AHEAD_MS) };
  }

  function renew(): Promise<Held> {
    const next = login();
    held = next;
    next.catch(() => {
      if (held === next) held = null;
    });
    return next;
  }

  return {
    async token() {
      const current = await (held ?? renew());
      return Date.now() < current.refreshAtMs ? current.token : (await renew()).token;
    },
    refused() {
      held = null;
      return true;
    },
  };
}

/** How long a token lives, by its own dates: the local clock may be wrong. 0 when it does not say. */
function lifetimeMs(token: string): number {
  const payload = token.split(".")[1];
  if (payload === undefined) return 0;
  try {
    // Only the dates are read, which are ASCII.
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    if (typeof claims !== "object" || claims === null) return 0;
    const { exp, iat } = { exp: 0, iat: 0, ...claims };
    return (exp - iat) * 1000;
  } catch {
    return 0;
  }
}

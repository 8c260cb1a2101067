import { sendWithRetries } from "./transport.ts";
import type { Fetch, RetryOptions } from "./transport.ts";

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Source of the token of a request. */
export interface TokenSource {
  /** Null for a request without a token. */
  token(signal?: AbortSignal): Promise<string | null>;
  /** Forgets a refused token; false when the source cannot obtain another one. */
  refused(token: string): boolean;
}

/** Lead of the replacement of a token before its expiry, milliseconds: longer than the wait of any request. */
const REFRESH_AHEAD_MS = 300_000;

export function fixedToken(token: string | (() => string | Promise<string>) | null): TokenSource {
  return {
    token: async () => (typeof token === "function" ? token() : token),
    refused: () => false,
  };
}

interface Held {
  readonly token: string;
  /** Milliseconds of the local clock. */
  readonly refreshAtMs: number;
}

/** Logs in at the first need of a token, and again before it expires. Concurrent calls share one login. */
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

/** Lifetime of a token by its dates, because the local clock may be wrong; 0 without dates. */
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

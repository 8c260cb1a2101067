import { signal, type ReadonlySignal } from "@preact/signals";
import { post, textOf, type Answer } from "./console-post.ts";

/** The user of the page. */
export type SessionState =
  | { readonly kind: "starting" }
  | { readonly kind: "signed-out"; readonly isOver: boolean; readonly problem?: string | null }
  | { readonly kind: "second-factor"; readonly mfaToken: string }
  | { readonly kind: "signed-in"; readonly userId: string };

export interface Session {
  readonly state: ReadonlySignal<SessionState>;
  /** Continues the session of the cookie, if there is one. */
  start(): Promise<void>;
  /** Returns a valid token; after the end of a session it waits for the next sign-in. */
  token(): Promise<string>;
  /** Forgets a refused token. */
  refuse(token: string): void;
  /** Returns why it failed, or null. */
  signIn(username: string, password: string): Promise<string | null>;
  /** Returns why the code failed, or null. */
  confirm(code: string): Promise<string | null>;
  signOut(): Promise<void>;
}

/** A token is replaced this long before it ends: longer than a request takes. */
const REFRESH_AHEAD_MS = 60_000;

/** Set while the browser may hold a cookie, which scripts cannot see. */
const MARK = "swath-session";

interface Held {
  readonly token: string;
  readonly refreshAtMs: number;
}

/**
 * The session of the browser: the token stays in memory, the cookie out of reach of scripts.
 *
 * @param returned query with which an issuer has sent the browser back
 */
export function createSession(returned: string | null): Session {
  const state = signal<SessionState>({ kind: "starting" });
  let held: Held | null = null;
  let refreshing: Promise<void> | null = null;
  let waiting: (() => void)[] = [];

  function take(answer: Answer): string | null {
    const { status, body } = answer;
    if (status === 200) {
      held = {
        token: textOf(body["access_token"]),
        refreshAtMs: Date.now() + Number(body["expires_in"]) * 1_000 - REFRESH_AHEAD_MS,
      };
      localStorage.setItem(MARK, "1");
      state.value = { kind: "signed-in", userId: textOf(body["userId"]) };
      const resumed = waiting;
      waiting = [];
      for (const resume of resumed) resume();
      return null;
    }
    if (status === 403 && body["error"] === "mfa_required") {
      state.value = { kind: "second-factor", mfaToken: textOf(body["mfa_token"]) };
      return null;
    }
    return textOf(body["error_description"]) || `HTTP ${status}`;
  }

  async function refresh(): Promise<void> {
    const isFirst = state.value.kind === "starting";
    const answer = await post("/console/session", {});
    if (answer.status === 200) {
      take(answer);
      return;
    }
    held = null;
    if (answer.status === 401) state.value = { kind: "signed-out", isOver: !isFirst };
    else throw new Error(textOf(answer.body["error_description"]) || `HTTP ${answer.status}`);
  }

  /** Requests at one time share one exchange: each cookie is exchanged once. */
  async function refreshOnce(): Promise<void> {
    refreshing ??= refresh().finally(() => {
      refreshing = null;
    });
    await refreshing;
  }

  return {
    state,
    async start() {
      if (returned !== null) {
        const problem = take(await post("/console/session", { query: returned }));
        if (problem !== null) state.value = { kind: "signed-out", isOver: false, problem };
        return;
      }
      // Without a session the request would be refused, and stand in the log of the browser as a fault.
      if (localStorage.getItem(MARK) === null) state.value = { kind: "signed-out", isOver: false };
      else await refreshOnce();
    },
    async token() {
      for (;;) {
        if (held !== null && Date.now() < held.refreshAtMs) return held.token;
        if (state.value.kind === "signed-in") await refreshOnce();
        else await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    refuse(token) {
      if (held?.token === token) held = null;
    },
    signIn: async (username, password) => take(await post("/console/session", { username, password })),
    async confirm(code) {
      const { value } = state;
      if (value.kind !== "second-factor") return null;
      return take(await post("/console/session", { mfa_token: value.mfaToken, otp: code }));
    },
    async signOut() {
      held = null;
      localStorage.removeItem(MARK);
      await post("/console/session/end", {});
      state.value = { kind: "signed-out", isOver: false };
    },
  };
}

import { createClient, type Client } from "@swath/client";
import type { Recorder } from "./recorder.ts";
import type { Session } from "../session/session.ts";

/** The service as the signed-in user. A call that meets the end of the session is repeated after the next sign-in. */
export function createCalls(session: Session, recorder: Pick<Recorder, "record">): Client {
  return createClient({
    baseUrl: "",
    token: () => session.token(),
    fetch: async (url, init) => {
      const answer = await recorder.record(() => fetch(url, init), { url, init });
      if (answer.status !== 401 || !(await isRefusedToken(answer))) return answer;
      const headers = new Headers(init?.headers);
      session.refuse((headers.get("authorization") ?? "").replace(/^Bearer /, ""));
      headers.set("authorization", `Bearer ${await session.token()}`);
      return await fetch(url, { ...init, headers });
    },
  });
}

async function isRefusedToken(answer: Response): Promise<boolean> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  return typeof body === "object" && body !== null && "error" in body && body.error === "INVALID-JWT";
}

/** The service as anybody: a stranger with a link reads maps by their IDs alone. */
export function createPublicCalls(recorder: Recorder): Client {
  return createClient({
    baseUrl: "",
    fetch: async (url, init) => await recorder.record(() => fetch(url, init), { url, init }),
  });
}

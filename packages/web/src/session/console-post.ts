export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A request of the session. */
export async function post(path: string, body: object): Promise<Answer> {
  const headers = { "content-type": "application/json", "x-swath-console": "1" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const read: unknown = await answer.json().catch(() => null);
  const isObject = typeof read === "object" && read !== null;
  return { status: answer.status, body: isObject ? { ...read } : {} };
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

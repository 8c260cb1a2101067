/** The body of an answer; empty for a stream of events, which has no end to wait for. */
export async function wholeText(response: Response): Promise<string> {
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true) return await response.text();
  await response.body?.cancel();
  return "";
}

import type { ReadableStream } from "node:stream/web";
import { CommandError, EXIT } from "../exit-code.ts";

/**
 * The bytes of a signed address, from the service that the caller talks to: behind a proxy or a tunnel, the origin of
 * the address may not be reachable.
 */
export async function downloadAddress(baseUrl: string, address: string, signal: AbortSignal): Promise<ReadableStream> {
  const { pathname, search } = new URL(address);
  const answer = await fetch(`${baseUrl}${pathname}${search}`, { signal });
  if (!answer.ok || answer.body === null) {
    throw new CommandError(`${pathname} answered ${answer.status}: ${await answer.text()}`, EXIT.failure);
  }
  return answer.body;
}

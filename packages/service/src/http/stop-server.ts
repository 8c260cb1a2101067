import { within } from "@swath/base/concurrency/within";
import type { Log } from "@swath/base/log/log";
import type { HttpServer } from "./server.ts";

/** How long an aborted request may take to notice. */
const ABORT_PATIENCE_MS = 2_000;

/** Refuses new requests, lets requests under way end, and cuts off those that do not in time. */
export async function stopServer(http: HttpServer, drainMs: number, log: Log): Promise<void> {
  http.drain();
  const closed = http.close();
  if (await within(closed, drainMs)) return;
  log.warn({}, "requests did not end in time and are aborted");
  http.abort();
  if (await within(closed, ABORT_PATIENCE_MS)) return;
  http.app.server.closeAllConnections();
  await within(closed, ABORT_PATIENCE_MS);
}

import { within } from "@swath/base/concurrency/within";
import type { Log } from "@swath/base/log/log";
import type { HttpServer } from "./server.ts";

/** How often connections that have become idle are closed while the server stops. */
const CLOSE_IDLE_EVERY_MS = 20;
/** How long an aborted request may take to notice. */
const ABORT_PATIENCE_MS = 2_000;

/** Refuses new requests, lets requests under way end, and cuts off those that do not in time. */
export async function stopServer(http: HttpServer, drainMs: number, log: Log): Promise<void> {
  const { server } = http.app;
  http.drain();
  const closed = http.close();
  // A connection that was busy when listening ended stays open for its client's next request.
  const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  try {
    if (await within(closed, drainMs)) return;
    log.warn({}, "requests did not end in time and are aborted");
    http.abort();
    if (await within(closed, ABORT_PATIENCE_MS)) return;
    server.closeAllConnections();
    await within(closed, ABORT_PATIENCE_MS);
  } finally {
    clearInterval(closing);
  }
}

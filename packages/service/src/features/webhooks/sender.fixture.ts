import { systemClock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import { createHttpTransport } from "@swath/raster/remote/http-transport";
import { placeEvents } from "../../platform/events/place-events.ts";
import { openPool } from "../../platform/postgres/pool.ts";
import { fanOut } from "./fan-out.ts";
import { createReceiverRules } from "./receiver-rules.ts";
import { createSender, SENDER_LIMITS } from "./sender.ts";

/*
 * A process that places events and delivers them until it is killed: the loop of a worker with short leases. Arguments:
 * address of the database, origin of the receiver.
 */
const [, , url = "", origin = ""] = process.argv;
const { db } = openPool({ url, maxConnections: 8, statementTimeoutMs: 60_000, log: silentLog });
const signal = new AbortController().signal;
const sender = createSender({
  db,
  clock: systemClock,
  log: silentLog,
  transport: createHttpTransport({ rules: createReceiverRules([origin]), maxRedirects: 0 }),
  timeoutMs: 2_000,
  sealingKey: Buffer.alloc(32, 1),
  limits: { ...SENDER_LIMITS, turnMs: 200, leaseMs: 4_000 },
  onIdle: () => {},
});
process.stdout.write("ready\n");
for (;;) {
  try {
    await placeEvents(db, signal);
    await fanOut(db, signal);
    await sender.deliverDue();
  } catch (error) {
    // The database outlives this process; a failed round is followed by another.
    process.stderr.write(`${String(error)}\n`);
  }
}

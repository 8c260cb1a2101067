import { systemClock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import { openPool } from "../../../platform/postgres/pool.ts";
import { createStapiProvider } from "../stapi-provider.ts";
import type { StapiSettings } from "../settings.ts";
import type { SubmittedOrder } from "../../tasking-provider.ts";

// Submits the order of the parent process, which kills this process before the answer is stored.
const [databaseUrl = "", settings = "", order = ""] = process.argv.slice(2);
const { db } = openPool({ url: databaseUrl, maxConnections: 1, statementTimeoutMs: 60_000, log: silentLog });
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- from the test
const provider = createStapiProvider(JSON.parse(settings) as StapiSettings, { clock: systemClock, db });
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- from the test
await provider.submit(JSON.parse(order) as SubmittedOrder, new AbortController().signal);

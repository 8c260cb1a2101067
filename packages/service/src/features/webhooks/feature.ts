import { webhooksContract } from "@swath/contract/features/webhooks/contract";
import { createHttpTransport } from "@swath/raster/remote/http-transport";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { audit } from "../audit/feature.ts";
import { fanOut } from "./fan-out.ts";
import { webhooksHandlers } from "./handlers.ts";
import { createReceiverRules } from "./receiver-rules.ts";
import { createSender, SENDER_LIMITS } from "./sender.ts";

const FAN_OUT = "webhooks: make deliveries";
const DELIVER = "webhooks: deliver";
/** For signals that were lost, and for attempts that are due. */
const LOOK_EVERY_MS = 1_000;
const TIMEOUT_MS = 10_000;

export const webhooks = defineFeature({
  name: "webhooks",
  contract: webhooksContract,
  needs: ["clock", "config", "db", "events", "log", "schedule", "secrets", audit],
  create: (needs) => {
    const { config, events, schedule, secrets } = needs;
    const rules = createReceiverRules(config.webhookHosts);
    const sealingKey = secrets.keyFor("webhooks");
    // Each webhook has few requests at once; one socket for each of all of them.
    const maxSockets = SENDER_LIMITS.turns * SENDER_LIMITS.requestsPerTurn;
    const transport = createHttpTransport({ rules, userAgent: "swath-webhooks", maxSockets, maxRedirects: 0 });
    const onIdle = (): void => schedule.soon(DELIVER, 0);
    const sender = createSender({
      ...needs,
      transport,
      timeoutMs: TIMEOUT_MS,
      sealingKey,
      limits: SENDER_LIMITS,
      onIdle,
    });
    const stop = events.onPlaced(() => schedule.soon(FAN_OUT, 0));
    return {
      operations: { ...needs, rules, sealingKey },
      sender,
      async [Symbol.asyncDispose]() {
        stop();
        await sender[Symbol.asyncDispose]();
        transport[Symbol.dispose]();
      },
    };
  },
  handlers: ({ operations }) => webhooksHandlers(operations),
  schedules: ({ sender }, { db, schedule }) => [
    {
      name: FAN_OUT,
      everyMs: LOOK_EVERY_MS,
      runsIn: "workers",
      async run(signal) {
        if ((await fanOut(db, signal)) > 0) schedule.soon(DELIVER, 0);
      },
    },
    { name: DELIVER, everyMs: LOOK_EVERY_MS, runsIn: "workers", run: () => sender.startDue() },
  ],
});

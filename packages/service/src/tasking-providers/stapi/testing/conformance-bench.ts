import { systemClock } from "@swath/base/clock";
import type { Db } from "../../../platform/context.ts";
import type { TaskingProviderBench } from "../../tasking-provider.conformance.ts";
import { createStapiProvider } from "../stapi-provider.ts";
import { sampleOrder } from "./sample-order.ts";

/** A server whose orders the test leads to their end. */
interface LedServer {
  readonly url: string;
  tell(orderId: string, status: Record<string, unknown>): Promise<void>;
}

const COURSE = ["accepted", "scheduled", "processing", "completed"];

/** A provider of the server under the suite of all providers; orders deliver `/files/scene.tif`. */
export async function openBench(server: LedServer, product: string, db: Db): Promise<TaskingProviderBench> {
  const stack = new AsyncDisposableStack();
  const names = new Map<string, string>();
  const steps = new Map<string, number>();
  let isCut = false;
  const make = () =>
    createStapiProvider(
      { url: server.url, product, cancel: "delete", attempts: 1 },
      {
        clock: systemClock,
        db,
        observe: (transport) => async (request) => {
          if (isCut) throw Object.assign(new Error("cut off"), { code: "ECONNREFUSED" });
          return transport(request);
        },
      },
    );
  const own = stack.use(make());
  const provider = {
    ...own,
    submit: async (...asked: Parameters<typeof own.submit>) => {
      const name = await own.submit(...asked);
      names.set(asked[0].orderId, name);
      return name;
    },
  };
  return {
    provider,
    order: () => Promise.resolve(sampleOrder(Date.now())),
    async wait({ orderId }) {
      const name = names.get(orderId) ?? "";
      const step = steps.get(orderId) ?? 0;
      steps.set(orderId, step + 1);
      const links = [{ rel: "data", href: `${server.url}/files/scene.tif`, type: "image/tiff" }];
      await server.tell(name, { status_code: COURSE[step] ?? "completed", links: step < 3 ? [] : links });
    },
    cutOff() {
      isCut = true;
      return () => {
        isCut = false;
      };
    },
    restarted: make,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

import { silentLog } from "@swath/base/log/log";
import { stapiContract } from "@swath/contract/features/stapi/contract";
import { DEFAULT_HTTP_CONFIG } from "../../http/http-config.ts";
import { createHttpServer } from "../../http/server.ts";
import { ampleStorage } from "../../platform/storage/testing.ts";
import { startWorker } from "../../worker/worker.ts";
import { studyBench, type Person, type StudyBench, type StudyBenchOptions } from "../tasking/feasibility/testing.ts";
import { createOrderService } from "../tasking/orders/order-service.ts";
import { presentOfOrders } from "../tasking/orders/present-of-orders.ts";
import { stapiHandlers } from "./handlers.ts";
import { SEARCH_LANE } from "./search-store.ts";
import { createStapiService } from "./service.ts";

export interface Answer {
  readonly status: number;
  readonly mediaType: string;
  readonly location: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any;
}

/** The dialect behind a real server, with the database, the queue and a worker of its lane. */
export interface StapiBench extends AsyncDisposable {
  readonly study: StudyBench;
  /** Origin, such as `http://127.0.0.1:8080`. */
  readonly address: string;
  /** Below `/stapi`, or a whole address. */
  get(path: string, person?: Person): Promise<Answer>;
  post(path: string, body: unknown, person: Person, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

interface AskedRequest {
  readonly method?: "POST";
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function refuse(): Promise<never> {
  return Promise.reject(new Error("no pipelines of operations here"));
}

export interface StapiBenchOptions extends StudyBenchOptions {
  /** Whether a worker runs the searches; it does unless given. */
  readonly hasWorker?: boolean;
}

export async function stapiBench({ hasWorker = true, ...options }: StapiBenchOptions = {}): Promise<StapiBench> {
  const stack = new AsyncDisposableStack();
  const study = stack.use(await studyBench(options));
  const { db, identity, queue, signals, studies, users } = study;
  const { clock } = studies;
  const orders = createOrderService({
    ...studies,
    users,
    presentOf: presentOfOrders(studies),
    refresh: async () => {},
  });
  const service = createStapiService({ ...studies, studies, orders, queue, retentionDays: 30 });
  if (hasWorker) {
    const lane = { lane: SEARCH_LANE, handlers: service.searchHandlers, concurrency: 4 };
    const worker = startWorker({ db, signals, log: silentLog, ...lane });
    stack.defer(() => worker.stop(0));
  }
  const server = await createHttpServer({
    storage: ampleStorage(),
    contract: { stapi: stapiContract },
    handlers: { stapi: stapiHandlers(service) },
    db,
    identity,
    pipelines: { accept: refuse, retrieve: refuse },
    config: { ...DEFAULT_HTTP_CONFIG, rateLimits: null, validateResponses: true },
    clock,
    log: silentLog,
  });
  stack.defer(() => server.close());
  const address = await server.listen({ host: "127.0.0.1", port: 0 });
  const ask = async (path: string, person: Person | undefined, request: AskedRequest = {}): Promise<Answer> => {
    const { headers = {}, ...rest } = request;
    const authorization = person === undefined ? {} : { authorization: `Bearer ${person.token}` };
    const answer = await fetch(path.startsWith("http") ? path : `${address}/stapi${path}`, {
      ...rest,
      headers: { "content-type": "application/json", ...authorization, ...headers },
    });
    const mediaType = answer.headers.get("content-type") ?? "";
    return { status: answer.status, mediaType, location: answer.headers.get("location"), json: await answer.json() };
  };
  return {
    study,
    address,
    get: (path, person) => ask(path, person),
    post: (path, body, person, headers = {}) =>
      ask(path, person, { method: "POST", body: JSON.stringify(body), headers }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const HOUR_MS = 3_600_000;

/** An interval of STAPI, hours from now. */
export function intervalFromNow(fromH: number, toH: number, nowMs = Date.now()): string {
  return [fromH, toH].map((hours) => new Date(nowMs + hours * HOUR_MS).toISOString()).join("/");
}

/** A harbour where the sun is high all year. */
export const HARBOUR = { type: "Point", coordinates: [103.85, 1.26] } as const;
/** Products of simulated satellites. */
export const ASSURED = "radar--multi.spotlight.assured";
export const FLEXIBLE = "radar--multi.spotlight.flexible";

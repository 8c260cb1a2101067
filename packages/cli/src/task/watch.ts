import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { CommandError, EXIT } from "../exit-code.ts";
import { rememberSeen } from "../remember.ts";
import { spacedTime } from "../spaced-time.ts";
import { resolveOrder } from "./task-names.ts";

/** The end of a watched order. */
export interface WatchedOrder {
  readonly order: OrderAnswer;
  readonly captures: readonly CaptureAnswer[];
  /** Scenes of the captures that fulfil the order. */
  readonly sceneIds: readonly string[];
}

export interface WatchNews {
  /** One line for each change of the status. */
  readonly note: (text: string) => void;
  /** @param step from 0 to `WATCH_STEPS` */
  readonly progress: (step: number, text: string) => void;
}

type OrderAnswer = Awaited<ReturnType<typeof readOrder>>;
type CaptureAnswer = Awaited<ReturnType<typeof readCaptures>>["results"][number];

const STEP_OF: Readonly<Record<string, number>> = { RECEIVED: 1, PENDING: 2, IN_PROGRESS: 3, FULFILLED: 4 };
export const WATCH_STEPS = 5;

/** `swath task watch`: follows an order until its scene is there. */
export async function watch(
  context: CommandContext,
  { every }: { readonly every: number },
  [text = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const orderId = await resolveOrder(context, text);
  const client = await connect(context);
  const bar = output.progress("order", WATCH_STEPS);
  const news = {
    note: (line: string) => output.note(line),
    progress: (at: number, state: string) => bar.update(at, state),
  };
  try {
    const watched = await watchOrder(client, orderId, { everyMs: every * 1000, news, signal });
    await rememberSeen(context, { scenes: watched.sceneIds });
    output.result(watched, [
      ...watched.sceneIds,
      `swath release ${watched.sceneIds[0] ?? ""} --types imagery --allocate releases the scene`,
    ]);
  } catch (error) {
    if (signal.aborted) output.note("the watching ends here; the order goes on");
    throw error;
  } finally {
    bar.stop();
  }
}

/**
 * Asks for an order until all captures that fulfil it are scenes.
 *
 * @throws {CommandError} when the order ends without a scene; with the reason
 */
export async function watchOrder(
  client: Client,
  orderId: string,
  { everyMs, news, signal }: { readonly everyMs: number; readonly news: WatchNews; readonly signal: AbortSignal },
): Promise<WatchedOrder> {
  let told = 0;
  for (;;) {
    const order = await readOrder(client, orderId, signal);
    for (const { time, status, reasonText } of order.history.slice(told)) {
      news.note(`${spacedTime(time)}  ${status}${reasonText === null ? "" : `  ${reasonText}`}`);
    }
    told = order.history.length;
    requireHope(order);
    const { results } = await readCaptures(client, orderId, signal);
    const latest = results.at(-1);
    const state = latest === undefined ? order.status : `${order.status}, capture ${latest.status}`;
    news.progress(STEP_OF[order.status] ?? 0, state);
    const sceneIds = scenesOf(order, results);
    if (sceneIds.length > 0) {
      news.progress(WATCH_STEPS, "scene");
      return { order, captures: results, sceneIds };
    }
    await pause(everyMs, undefined, { signal });
  }
}

/** Scenes of a fulfilled order; none while one of its captures is still being ingested. */
function scenesOf({ status }: OrderAnswer, captures: readonly CaptureAnswer[]): readonly string[] {
  const fulfilling = captures.filter(({ fulfils }) => fulfils === true);
  if (status !== "FULFILLED" || fulfilling.some(({ ingestedScenes }) => ingestedScenes.length === 0)) return [];
  return fulfilling.flatMap(({ ingestedScenes }) => ingestedScenes.map(({ id }) => id));
}

function requireHope({ status, history }: OrderAnswer): void {
  if (STEP_OF[status] !== undefined) return;
  const reason = history.at(-1)?.reasonText ?? null;
  throw new CommandError(`the order is ${status}${reason === null ? "" : `: ${reason}`}`, EXIT.failure);
}

async function readOrder(client: Client, orderId: string, signal: AbortSignal) {
  return await client.call("/scene-tasking/order/get", { orderId }, { signal });
}

async function readCaptures(client: Client, orderId: string, signal: AbortSignal) {
  return await client.call("/scene-tasking/captures/list", { orderId, limit: 200 }, { signal });
}

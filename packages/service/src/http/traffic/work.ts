import type { FastifyReply } from "fastify";
import type { RequestContext } from "../../platform/context.ts";
import { forShare } from "@swath/base/concurrency/current-share";
import { goneSignal } from "./gone-signal.ts";
import { giveBack, takeShare } from "./shares.ts";
import type { Traffic } from "./traffic.ts";
import { answerInTurn, holdBack } from "./turns.ts";
import { enterPlace } from "./work-places.ts";

/** The work of one request. */
export type Work = Pick<RequestContext, "beginWait">;

/**
 * Works on a request as soon as its caller has a place. The place is free when the work has ended and the answer is
 * sent: a slow reader holds places of its share. Whatever the work waits for takes the turns of the share.
 *
 * @throws {ServiceError} as `enterPlace`
 */
export async function workOn<Result>(
  traffic: Traffic,
  share: string,
  reply: FastifyReply,
  work: (work: Work) => Promise<Result>,
): Promise<Result> {
  const place = await enterPlace(traffic.places, share, () => goneSignal(reply));
  const leave = (): void => place[Symbol.dispose]();
  const beginWait = (): void => {
    leave();
    holdBack(traffic.turns, reply.raw);
  };
  try {
    const result = await forShare(share, () => work(waitingWork(traffic, share, beginWait)));
    await answerInTurn(traffic.turns, reply.raw);
    if (reply.raw.destroyed || reply.raw.writableFinished) leave();
    else reply.raw.once("finish", leave).once("close", leave);
    return result;
  } catch (error) {
    // A refusal is small, and may wait for its turn.
    leave();
    throw error;
  }
}

/** Works on a request without a place, such as taking a body as it comes. */
export async function workWithoutPlace<Result>(
  traffic: Traffic,
  share: string,
  work: (work: Work) => Promise<Result>,
): Promise<Result> {
  return await forShare(share, () => work(waitingWork(traffic, share, () => {})));
}

function waitingWork({ waits }: Traffic, share: string, leave: () => void): Work {
  return {
    beginWait() {
      if (!takeShare(waits, share)) return null;
      leave();
      return { [Symbol.dispose]: once(() => giveBack(waits, share)) };
    },
  };
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}

import type { FastifyReply } from "fastify";
import { takeTokens, type Payer, type RateLimiter } from "./rate-limit.ts";

/** The cost of one request, paid in steps as it becomes known. */
export interface Meter {
  readonly limiter: RateLimiter | null;
  readonly payer: Payer;
  readonly reply: FastifyReply;
  spentTokens: number;
}

/** @param limiter null: nothing is limited */
export function meterOf(limiter: RateLimiter | null, payer: Payer, reply: FastifyReply): Meter {
  return { limiter, payer, reply, spentTokens: 0 };
}

/** Pays a part of the cost, and states the limit in the answer. @throws {ServiceError} TOO-MANY-REQUESTS */
export function charge(meter: Meter, tokens: number): void {
  const { limiter, payer, reply, spentTokens } = meter;
  if (limiter === null) return;
  const { taken, headers } = takeTokens(limiter, payer, tokens, spentTokens);
  meter.spentTokens += taken;
  reply.headers(headers);
}

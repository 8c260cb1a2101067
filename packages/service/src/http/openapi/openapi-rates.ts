import type { RateClass } from "@swath/contract/kit/access";
import { LINEAR_POSITIONS, TOKEN_PAYS, type RequestWork } from "@swath/contract/kit/request-cost";

/** The cost of a request, for the description of the whole service. */
export const COST =
  "Each caller has tokens for each class of requests (`x-rate-limit`): read, initiate, grid. A request costs one " +
  `token. It costs one more for each ${TOKEN_PAYS.bodyBytes / 1024} KiB of its body, ${TOKEN_PAYS.positions} ` +
  `positions of its shapes, ${TOKEN_PAYS.maps} maps and ${TOKEN_PAYS.pixels / 1e6} megapixels of its files. Positions ` +
  `of a shape with more than ${LINEAR_POSITIONS} count by their square. Maps are scenes times map types. A request ` +
  "never costs more than all tokens of its caller.";

/** The header fields of rated answers, by name. */
export const RATE_HEADERS = {
  RateLimit: {
    description: "Tokens left (r), and seconds until more are there (t): draft-ietf-httpapi-ratelimit-headers-10",
    schema: { type: "string" },
    example: '"initiate";r=987;t=1',
  },
  "RateLimit-Policy": {
    description: "Most tokens of the caller (q), and seconds in which none become that number (w)",
    schema: { type: "string" },
    example: '"initiate";q=1000;w=5',
  },
};
/** Members of a rated answer. */
export const RATED = {
  headers: Object.fromEntries(
    Object.keys(RATE_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
};

/** The limit that pays for a request, and the work that adds to the cost. */
export function costOf(rateClass: RateClass, work: RequestWork<never>): Record<string, unknown> {
  return {
    "x-rate-limit": { policy: rateClass, ...(Object.keys(work).length === 0 ? {} : { work: Object.keys(work) }) },
  };
}

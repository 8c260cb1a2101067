import type { FastifyReply, FastifyRequest } from "fastify";
import { matchesEtag } from "../platform/etag.ts";
import type { ContentEncoding, KeptJson } from "../platform/kept-json.ts";

/** Sends a kept answer in an encoding that the client accepts, or 304 when the client has it. */
export async function sendKept(request: FastifyRequest, reply: FastifyReply, kept: KeptJson<unknown>): Promise<void> {
  const encoding = kept.encodingFor(acceptedEncoding(request.headers["accept-encoding"]));
  const etag = kept.etag(encoding);
  reply.headers({ etag, vary: "accept-encoding", "cache-control": "private, no-cache" });
  if (matchesEtag(request.headers["if-none-match"], etag)) {
    await reply.code(304).send();
    return;
  }
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  await reply.type("application/json; charset=utf-8").send(await kept.encoded(encoding));
}

/** Brotli before gzip, whatever the weights: both are at hand. */
export function acceptedEncoding(header: string | string[] | undefined): ContentEncoding {
  const accepted = new Map(
    String(header ?? "")
      .toLowerCase()
      .split(",")
      .map((part) => {
        const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
        return [name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/u.test(parameter))] as const;
      }),
  );
  const takes = (name: string): boolean => accepted.get(name) ?? false;
  if (takes("br")) return "br";
  return takes("gzip") || (takes("*") && accepted.get("gzip") !== false) ? "gzip" : "identity";
}

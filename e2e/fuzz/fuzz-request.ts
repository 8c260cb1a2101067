import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The callers of generated requests. */
export const ACTORS = ["anonymous", "user", "operator", "administrator"] as const;
/** A caller of the suite. The uploader of files has a group to itself: requests change the rights of the other group. */
export type ActorName = (typeof ACTORS)[number] | "uploader";

/** One request as it goes over the wire. */
export interface FuzzRequest {
  readonly actor: ActorName;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** A body up to this size is part of the command, a larger one a file beside it. */
const INLINE_BYTES = 2000;

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The request as one command of a shell; its body in a file of the folder where it is long or no plain text. */
export async function asCurl(request: FuzzRequest, baseUrl: string, folder: string, name: string): Promise<string> {
  const parts = ["curl", "-sS", "--path-as-is", "-i", "-X", request.method, quoted(`${baseUrl}${request.url}`)];
  for (const [header, value] of Object.entries(request.headers)) parts.push("-H", quoted(`${header}: ${value}`));
  if (request.actor !== "anonymous" && !("authorization" in request.headers)) {
    parts.push("-H", `"Authorization: Bearer $TOKEN_OF_${request.actor.toUpperCase()}"`);
  }
  const { body } = request;
  if (body !== null) {
    const text = Buffer.from(body).toString("utf8");
    const isPlain =
      body.length <= INLINE_BYTES && /^[\x20-\x7E]*$/.test(text) && Buffer.byteLength(text) === body.length;
    const file = join(folder, `${name}.body`);
    if (!isPlain) await writeFile(file, body);
    parts.push("--data-binary", isPlain && !text.startsWith("@") ? quoted(text) : quoted(`@${file}`));
  }
  return parts.join(" ");
}

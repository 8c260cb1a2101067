import { Agent, request, type OutgoingHttpHeaders } from "node:http";

/** Requests over kept connections of one host, with as little work of the client as `node:http` allows. */
export class KeptClient implements Disposable {
  readonly #agent: Agent;
  readonly #host: { readonly hostname: string; readonly port: string };
  readonly #authorization: Readonly<Record<string, string>>;

  /** @param token null for requests without one */
  constructor(baseUrl: string, token: string | null, connections: number) {
    const { hostname, port } = new URL(baseUrl);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.#host = { hostname, port };
    this.#authorization = token === null ? {} : { Authorization: `Bearer ${token}` };
  }

  /** @throws {Error} unless the answer is 200 */
  async post(path: string, body: unknown): Promise<Record<string, unknown>> {
    const text = JSON.stringify(body);
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
    return JSON.parse((await this.#send("POST", path, headers, text)).toString("utf8"));
  }

  /**
   * @returns number of bytes
   * @throws {Error} unless the answer is 200
   */
  async get(path: string): Promise<number> {
    return (await this.#send("GET", path)).length;
  }

  async #send(method: string, path: string, more: OutgoingHttpHeaders = {}, text?: string): Promise<Buffer> {
    const headers = { ...this.#authorization, ...more };
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const sent = request({ ...this.#host, path, agent: this.#agent, method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        const got = Buffer.concat(parts);
        if (answer.statusCode === 200) resolve(got);
        else reject(new Error(`${path} answered ${answer.statusCode}: ${got.toString("utf8")}`));
      });
      answer.on("error", reject);
    });
    sent.on("error", reject).end(text);
    return await promise;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

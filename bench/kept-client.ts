import { Agent, request } from "node:http";

/** Posts JSON over kept connections of one host with as little work of the client as `node:http` allows. */
export class KeptClient implements Disposable {
  readonly #agent: Agent;
  readonly #host: { readonly hostname: string; readonly port: string };
  readonly #authorization: string;

  constructor(baseUrl: string, token: string, connections: number) {
    const { hostname, port } = new URL(baseUrl);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.#host = { hostname, port };
    this.#authorization = `Bearer ${token}`;
  }

  /** @throws {Error} unless the answer is 200 */
  async post(path: string, body: unknown): Promise<Record<string, unknown>> {
    const text = JSON.stringify(body);
    const headers = {
      Authorization: this.#authorization,
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text),
    };
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const sent = request({ ...this.#host, path, agent: this.#agent, method: "POST", headers }, (answer) => {
      let got = "";
      answer.setEncoding("utf8").on("data", (part: string) => (got += part));
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve(got);
        else reject(new Error(`${path} answered ${answer.statusCode}: ${got}`));
      });
    });
    sent.on("error", reject).end(text);
    return JSON.parse(await promise);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

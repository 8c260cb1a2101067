import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const VENV = join(import.meta.dirname, "..", "..", "..", "..", "..", "..", "out", "python-stapi");
const PACKAGES = ["stapi-fastapi==0.8.0", "stapi-pydantic==0.1.0"];

/** A STAPI provider in a separate process. */
export interface PythonStapi extends AsyncDisposable {
  readonly url: string;
  /** Appends a status to an order. */
  tell(orderId: string, status: Readonly<Record<string, unknown>>): Promise<void>;
  /** Identifiers of all orders, the oldest first. */
  orders(): Promise<readonly { readonly id: string }[]>;
}

/**
 * The server of stapi_server.py over a folder of files; null without Python 3.11, or without PyPI at the first use.
 */
export async function startPythonStapi(folder: string): Promise<PythonStapi | null> {
  const python = stapiPython();
  if (python === null) return null;
  const server = spawn(python, [join(import.meta.dirname, "stapi_server.py"), folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(server.stdout).once("line", resolve);
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`the STAPI server ended with ${code}`)));
  });
  return {
    url,
    async tell(orderId, status) {
      const answer = await fetch(`${url}/test/orders/${orderId}/statuses`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(status),
      });
      if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    },
    async orders() {
      const answer = await fetch(`${url}/orders?limit=100`);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form of the standard
      return ((await answer.json()) as { readonly features: readonly { readonly id: string }[] }).features;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.removeAllListeners("exit").once("exit", () => resolve());
        server.kill();
      }),
  };
}

/** The Python of a virtual environment with stapi-fastapi, made at its first use. */
function stapiPython(): string | null {
  const python = join(VENV, "bin", "python");
  const works = (): boolean => spawnSync(python, ["-c", "import stapi_fastapi"], { stdio: "ignore" }).status === 0;
  if (existsSync(python) && works()) return python;
  spawnSync("python3", ["-m", "venv", "--clear", VENV], { stdio: "ignore" });
  spawnSync(python, ["-m", "pip", "install", "-q", ...PACKAGES], { stdio: "ignore" });
  return works() ? python : null;
}

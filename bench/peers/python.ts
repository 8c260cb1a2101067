import { spawn, spawnSync, type ChildProcessByStdio } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

const FOLDER = join(import.meta.dirname, "..", "tmp", "python");

/** The distribution's Python with its GDAL bindings, or null. */
export function gdalPython(): string | null {
  const candidate = "/usr/bin/python3";
  const { status } = spawnSync(candidate, ["-c", "from osgeo import gdal"], { stdio: "ignore" });
  return status === 0 ? candidate : null;
}

/** A virtual environment with TiTiler, made on first use; null when the package index does not answer. */
export function titilerPython(): string | null {
  const python = join(FOLDER, "bin", "python");
  if (!existsSync(python)) {
    spawnSync("python3", ["-m", "venv", FOLDER], { stdio: "ignore" });
    spawnSync(python, ["-m", "pip", "install", "-q", "titiler.core", "uvicorn"], { stdio: "inherit" });
  }
  const { status } = spawnSync(python, ["-c", "import titiler.core, uvicorn"], { stdio: "ignore" });
  return status === 0 ? python : null;
}

/** A virtual environment with stac-fastapi-pgstac, made on first use; null when the package index does not answer. */
export function pgstacPython(): string | null {
  const folder = join(import.meta.dirname, "..", "tmp", "pgstac");
  const python = join(folder, "bin", "python");
  if (!existsSync(python)) {
    const packages = ["stac-fastapi-pgstac[server]==7.2.0", "pypgstac[psycopg]==0.10.0"];
    spawnSync("python3", ["-m", "venv", folder], { stdio: "ignore" });
    spawnSync(python, ["-m", "pip", "install", "-q", ...packages], { stdio: "inherit" });
  }
  const { status } = spawnSync(python, ["-c", "import stac_fastapi.pgstac, pypgstac, uvicorn"], { stdio: "ignore" });
  return status === 0 ? python : null;
}

/** A virtual environment with scipy, made on first use; null when the package index does not answer. */
export function scipyPython(): string | null {
  const folder = join(import.meta.dirname, "..", "tmp", "scipy");
  if (hasScipy("python3")) return "python3";
  const python = join(folder, "bin", "python");
  if (!existsSync(python)) {
    spawnSync("python3", ["-m", "venv", folder], { stdio: "ignore" });
    spawnSync(python, ["-m", "pip", "install", "-q", "numpy", "scipy"], { stdio: "inherit" });
  }
  return hasScipy(python) ? python : null;
}

/** A virtual environment with exactextract, made on first use; null when the package index does not answer. */
export function exactextractPython(): string | null {
  const folder = join(import.meta.dirname, "..", "tmp", "exactextract");
  const python = join(folder, "bin", "python");
  const works = (): boolean =>
    spawnSync(python, ["-c", "import exactextract, numpy"], { stdio: "ignore" }).status === 0;
  if (existsSync(python) && works()) return python;
  spawnSync("python3", ["-m", "venv", "--clear", folder], { stdio: "ignore" });
  spawnSync(python, ["-m", "pip", "install", "-q", "exactextract==0.3.0", "numpy"], { stdio: "ignore" });
  return works() ? python : null;
}

function hasScipy(python: string): boolean {
  return spawnSync(python, ["-c", "import numpy, scipy.ndimage"], { stdio: "ignore" }).status === 0;
}

/** A Python process that answers one JSON line per JSON line. */
export class PythonPeer implements Disposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(python: string, script: string) {
    this.#child = spawn(python, [join(import.meta.dirname, script)], { stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async ask<Answer>(request: unknown): Promise<Answer> {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error("the Python peer ended without an answer");
    return JSON.parse(value) as Answer;
  }

  [Symbol.dispose](): void {
    this.#child.stdin.end();
    this.#child.kill();
  }
}

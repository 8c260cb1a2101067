import { spawnSync } from "node:child_process";

const CANDIDATES = ["/usr/bin/python3", "python3"];

/** A Python with numpy and GDAL, or null where there is none. */
export function findPython(): string | null {
  return (
    CANDIDATES.find((path) => spawnSync(path, ["-c", "import numpy; from osgeo import gdal"]).status === 0) ?? null
  );
}

/** Bytes that a script answers to a job. @throws {Error} with what it said when it fails */
export function runPython(python: string, script: string, job: unknown): Buffer {
  const { status, stdout, stderr } = spawnSync(python, [script], {
    input: JSON.stringify(job),
    maxBuffer: 1024 ** 3,
  });
  if (status !== 0) throw new Error(`${script} failed: ${stderr.toString()}`);
  return stdout;
}

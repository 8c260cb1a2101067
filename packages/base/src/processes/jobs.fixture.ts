import { serveJobs } from "./serve-jobs.ts";

/** A job of the tests. */
export type TestJob =
  | { readonly kind: "echo"; readonly value: number }
  | { readonly kind: "fail" }
  | { readonly kind: "spin" }
  | { readonly kind: "abort" }
  | { readonly kind: "fill"; readonly medium: "array buffers" | "WebAssembly"; readonly bytes: number };

const PIECE_BYTES = 16 * 2 ** 20;
const kept: unknown[] = [];

function fill(medium: "array buffers" | "WebAssembly", bytes: number): void {
  for (let filled = 0; filled < bytes; filled += PIECE_BYTES) {
    const buffer =
      medium === "array buffers"
        ? new ArrayBuffer(PIECE_BYTES)
        : new WebAssembly.Memory({ initial: PIECE_BYTES / 2 ** 16 }).buffer;
    // Pages that nobody writes take no memory.
    new Uint8Array(buffer).fill(1);
    kept.push(buffer);
  }
}

serveJobs(async (input, tell) => {
  const job = input as TestJob;
  tell(job.kind);
  switch (job.kind) {
    case "echo":
      return { value: job.value, pid: process.pid, environment: Object.keys(process["env"]) };
    case "fail":
      throw new Error("the job failed");
    case "spin":
      for (;;);
    case "abort":
      return process.abort();
    case "fill":
      fill(job.medium, job.bytes);
      return null;
    default:
      return job satisfies never;
  }
});

import { storeFaultOf, type StoreFaultKind } from "../blobs/store-fault.ts";
import { runInBackground } from "../threads/work-in-background.ts";
import { watchMemory } from "./memory-watch.ts";

/** Message to a process. */
export interface ToJobProcess {
  readonly input: unknown;
}

/** Messages of a process. */
export type FromJobProcess =
  | { readonly kind: "told"; readonly message: unknown }
  | { readonly kind: "done"; readonly output: unknown; readonly rssBytes: number }
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly stack: string;
      readonly storeFault: StoreFaultKind | null;
      readonly rssBytes: number;
    };

/**
 * Runs the jobs that the parent process sends, one at a time, for as long as the parent lives. The first argument of
 * the process is the most memory it may take, in bytes.
 *
 * @param run tells the parent of its progress
 */
export function serveJobs(run: (input: unknown, tell: (message: unknown) => void) => Promise<unknown>): void {
  runInBackground();
  watchMemory(Number(process.argv[2]));
  process.on("disconnect", () => process.exit());
  process.on("message", ({ input }: ToJobProcess) => {
    run(input, (message) => answer({ kind: "told", message })).then(
      (output) => answer({ kind: "done", output, rssBytes: process.memoryUsage.rss() }),
      (error: unknown) => {
        const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
        const storeFault = storeFaultOf(error);
        answer({ kind: "failed", message, stack, storeFault, rssBytes: process.memoryUsage.rss() });
      },
    );
  });
}

function answer(message: FromJobProcess): void {
  process.send?.(message);
}

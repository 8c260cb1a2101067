import cliProgress from "cli-progress";
import { paintFor } from "./colours.ts";
import type { Verdict } from "./exit-code.ts";
import type { Sink } from "./sink.ts";

/** A long step that is under way. */
export interface Progress {
  /** @param done between 0 and the total given at the start */
  update(done: number, note?: string): void;
  stop(): void;
}

/**
 * What a command says. Results go to standard output, as text or, with `--json`, as one JSON document; everything
 * about the way there goes to standard error, with progress bars only on a terminal.
 */
export interface Output {
  readonly json: boolean;
  /** The result of the command, exactly once: lines for people, `document` for `--json`. */
  result(document: unknown, lines: readonly string[]): void;
  /** One of many results as it comes, instead of `result`: a line for people, a line of JSON for `--json`. */
  streamed(document: unknown, line: string): void;
  note(text: string): void;
  progress(title: string, total: number): Progress;
  failure(verdict: Verdict): void;
}

/** @param variables of the environment, which decide about colours */
export function createOutput(json: boolean, out: Sink, err: Sink, variables: NodeJS.ProcessEnv = {}): Output {
  const onOut = paintFor(out, variables);
  const onErr = paintFor(err, variables);
  return {
    json,
    result(document, lines) {
      if (json) out.write(`${JSON.stringify(document, null, 2)}\n`);
      else for (const line of lines) out.write(`${WARNING.test(line) ? onOut("warning", line) : line}\n`);
    },
    streamed(document, line) {
      out.write(`${json ? JSON.stringify(document) : line}\n`);
    },
    note(text) {
      if (!json) err.write(`${onErr(WARNING.test(text) ? "warning" : "hint", text)}\n`);
    },
    progress: (title, total) => (err.isTTY === true && !json ? bar(title, total) : quiet),
    failure(verdict) {
      if (json) {
        const { code, message, hint, requestId, details } = verdict;
        err.write(`${JSON.stringify({ error: code ?? "ERROR", errorMessage: message, hint, requestId, details })}\n`);
        return;
      }
      const code = verdict.code === null ? "" : `${verdict.code}: `;
      err.write(`${onErr("failure", "error:")} ${code}${verdict.message}\n`);
      for (const detail of verdict.details) err.write(`  ${detail}\n`);
      if (verdict.hint !== null) err.write(`  ${verdict.hint}\n`);
      if (verdict.requestId !== null) err.write(onErr("hint", `  request ${verdict.requestId}\n`));
    },
  };
}

/** Lines that state a fault beside the result. */
const WARNING = /^\s*warning: | failed: /;

const quiet: Progress = { update: () => undefined, stop: () => undefined };

function bar(title: string, total: number): Progress {
  const single = new cliProgress.SingleBar(
    {
      format: `${title.padEnd(12)} {bar} {percentage}% {note}`,
      barCompleteChar: "█",
      barIncompleteChar: "░",
      barsize: 30,
      hideCursor: true,
      clearOnComplete: true,
      stream: process.stderr,
    },
    cliProgress.Presets.shades_classic,
  );
  single.start(Math.max(1, total), 0, { note: "" });
  return {
    update: (done, note = "") => single.update(Math.min(Math.max(1, total), done), { note }),
    stop: () => single.stop(),
  };
}

/** Rows as aligned columns; numbers to the right. */
export function formatTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return /^-?[\d.,]+( (s|ms|km2|credits|kB|MB))?$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
}

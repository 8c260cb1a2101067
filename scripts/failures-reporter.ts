import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

const SLOWEST_FILES = 15;

/** Prints failing tests with their errors, skipped ones with their reason, the slowest files, and the totals last. */
export default async function* failuresReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const skipped = new Map<string, number>();
  const durationMsOf = new Map<string, number>();
  let summary = "";
  for await (const event of source) {
    if (
      event.type === "test:fail" &&
      (event.data.details.error as { failureType?: string }).failureType !== "subtestsFailed"
    ) {
      const { name, file, line, details } = event.data;
      yield `\n✖ ${name}\n  ${file ?? ""}:${line ?? ""}\n${indent(inspect(details.error.cause ?? details.error))}\n`;
    } else if (event.type === "test:pass" && event.data.skip !== undefined) {
      const reason = String(event.data.skip === true ? "no reason given" : event.data.skip);
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    } else if (event.type === "test:summary" && event.data.file !== undefined) {
      durationMsOf.set(relative(process.cwd(), event.data.file), event.data.duration_ms);
    } else if (event.type === "test:summary") {
      const { counts, duration_ms: durationMs } = event.data;
      const failed = counts.tests - counts.passed - counts.skipped - counts.todo;
      summary = `${(durationMs / 1000).toFixed(1)} s\n${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped\n`;
    }
  }
  for (const [reason, count] of skipped) yield `skipped ${count}: ${reason}\n`;
  const slowest = [...durationMsOf].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST_FILES);
  for (const [file, durationMs] of slowest) yield `${(durationMs / 1000).toFixed(1)} s in ${file}\n`;
  yield summary;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}

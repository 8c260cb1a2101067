import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

/** Prints failing tests with their errors, skipped ones with their reason, and the totals last. */
export default async function* failuresReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const skipped = new Map<string, number>();
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
    } else if (event.type === "test:summary" && event.data.file === undefined) {
      const { counts, duration_ms: durationMs } = event.data;
      const failed = counts.tests - counts.passed - counts.skipped - counts.todo;
      summary = `${(durationMs / 1000).toFixed(1)} s\n${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped\n`;
    }
  }
  for (const [reason, count] of skipped) yield `skipped ${count}: ${reason}\n`;
  yield summary;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}

import type { TestEvent } from "node:test/reporters";

/** Prints the diagnostics of tests, and their lines to standard error, as they come: a long suite says how far it is. */
export default async function* progressReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type === "test:stderr") yield event.data.message;
    // Diagnostics of no file are the counts of the whole run.
    if (event.type === "test:diagnostic" && event.data.file !== undefined) yield `${event.data.message}\n`;
  }
}

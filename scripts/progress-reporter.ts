import type { TestEvent } from "node:test/reporters";

/** Prints the lines that tests write to standard error, as they come: a long suite says how far it is. */
export default async function* progressReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type === "test:stderr") yield event.data.message;
  }
}

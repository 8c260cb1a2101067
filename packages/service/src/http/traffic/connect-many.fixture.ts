/** `node connect-many.fixture.ts PORT COUNT`: exits with 0 once so many connections are open at the same time. */
import { once } from "node:events";
import { connect } from "node:net";

const [port, count] = process.argv.slice(2).map(Number);
if (port === undefined || count === undefined) throw new Error("PORT and COUNT are wanted");
await Promise.all(
  Array.from({ length: count }, async () => {
    await once(connect(port, "127.0.0.1"), "connect");
  }),
);
process.exit(0);

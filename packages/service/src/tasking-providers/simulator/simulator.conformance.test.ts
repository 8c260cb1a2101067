import { testDatabase } from "../../platform/postgres/testing.ts";
import { taskingProviderConformance } from "../tasking-provider.conformance.ts";
import { setClock, testOrder, testSimulator } from "./testing.ts";

taskingProviderConformance("simulator", async () => {
  const stack = new AsyncDisposableStack();
  const { db } = stack.use(await testDatabase());
  const clock = setClock();
  const up = testSimulator(db, clock);
  const down = testSimulator(db, clock, { faults: { down: 1 } });
  let current = up;
  return {
    provider: {
      feasibility: (...asked) => current.feasibility(...asked),
      submit: (...asked) => current.submit(...asked),
      cancel: (...asked) => current.cancel(...asked),
      poll: (...asked) => current.poll(...asked),
      presentOf: (order) => current.presentOf(order),
      [Symbol.asyncDispose]: async () => {},
    },
    order: () => testOrder(up),
    async wait(_order, { askAgainMs }) {
      clock.set(askAgainMs);
    },
    cutOff() {
      current = down;
      return () => {
        current = up;
      };
    },
    restarted: () => testSimulator(db, clock),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
});

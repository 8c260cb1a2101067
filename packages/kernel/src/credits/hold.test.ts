import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { exceedsHold, placeHold, releaseHold, settleHold, type Hold } from "./hold.ts";

test("captures of less than was held give the difference back", () => {
  const held = placeHold(100_000_000n, 50_000_000);
  const { after, micro, areaM2 } = settleHold(held, { micro: 80_000_000n, areaM2: 40_000_000, isFinal: true });
  assert.deepEqual([micro, areaM2], [-20_000_000n, -10_000_000]);
  assert.deepEqual([after.reservedMicro, after.settledMicro, after.state], [0n, 80_000_000n, "settled"]);
});

test("captures that are not the last keep the rest held and take nothing more", () => {
  const first = settleHold(placeHold(100n, 10), { micro: 30n, areaM2: 3, isFinal: false });
  assert.deepEqual([first.micro, first.areaM2], [0n, 0]);
  assert.deepEqual([first.after.reservedMicro, first.after.settledMicro, first.after.state], [70n, 30n, "held"]);
  const ended = releaseHold(first.after, 1);
  assert.deepEqual([ended.micro, ended.areaM2], [-70n, -7]);
  assert.equal(ended.after.settledMicro, 30n);
});

test("five percent above what was held need no consent, a micro-credit more does", () => {
  const held = placeHold(1000n, 10);
  assert.equal(exceedsHold(held, 1050n), false);
  assert.equal(exceedsHold(held, 1051n), true);
  assert.equal(exceedsHold(placeHold(0n, 0), 1n), true);
});

test("an order that has ended is not changed by returns, and a returned one not by captures", () => {
  const returned = releaseHold(placeHold(5n, 5), 1).after;
  assert.throws(() => releaseHold(returned, 1), /the hold is returned/u);
  assert.throws(() => settleHold(returned, { micro: 1n, areaM2: 1, isFinal: true }), /returned/u);
  const settled = settleHold(placeHold(5n, 5), { micro: 5n, areaM2: 5, isFinal: true }).after;
  assert.throws(() => releaseHold(settled, 0.5), /the hold is settled/u);
  for (const fraction of [-0.1, 1.1, Number.NaN])
    assert.throws(() => releaseHold(placeHold(5n, 5), fraction), /0\.\.1/u);
});

const step = fc.oneof(
  fc.record({
    kind: fc.constant("capture" as const),
    micro: fc.bigInt({ min: 0n, max: 2_000_000n }),
    areaM2: fc.nat(2000),
    isFinal: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("return" as const), fraction: fc.double({ min: 0, max: 1, noNaN: true }) }),
);

test("whatever happens to an order, its changes sum to what it has cost and returns stay below what was held", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 1_000_000n }),
      fc.nat(1000),
      fc.array(step, { maxLength: 8 }),
      (micro, areaM2, steps) => {
        let hold: Hold = placeHold(micro, areaM2);
        let [sumMicro, sumM2] = [micro, areaM2];
        for (const one of steps) {
          if (hold.state === "returned" || (hold.state === "settled" && one.kind === "return")) continue;
          const change = one.kind === "capture" ? settleHold(hold, one) : releaseHold(hold, one.fraction);
          if (one.kind === "return") assert.ok(change.micro <= 0n && -change.micro <= hold.reservedMicro);
          hold = change.after;
          sumMicro += change.micro;
          sumM2 += change.areaM2;
          assert.equal(hold.reservedMicro + hold.settledMicro, sumMicro);
          assert.equal(hold.reservedM2 + hold.settledM2, sumM2);
          assert.ok(hold.returnedMicro <= hold.preallocatedMicro);
          if (one.kind === "capture")
            assert.deepEqual([settleHold(hold, one).micro, settleHold(hold, one).areaM2], [0n, 0]);
          if (hold.state !== "held") assert.deepEqual([hold.reservedMicro, hold.reservedM2], [0n, 0]);
        }
      },
    ),
  );
});

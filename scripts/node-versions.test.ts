import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** The oldest Node whose npm installs the service; npm brings a newer one that runs it. */
const OLDEST = 20;

interface Locked {
  readonly link?: boolean;
  readonly version?: string;
  readonly engines?: { readonly node?: string };
}

/** Whether a range of `engines` holds for some release of the version, as npm compares it. */
function includes(range: string, major: number): boolean {
  return range.split("||").some((part) => {
    const bounds = [...part.matchAll(/(>=|\^|~|>|<=|<)?\s*(\d+)(?:\.\d+)*/g)];
    return bounds.every(([, operator = "^", bound]) => {
      const limit = Number(bound);
      if (operator === "<") return major < limit;
      if (operator === "<=") return major <= limit;
      return operator.startsWith(">") ? major >= limit : major === limit;
    });
  });
}

test("ranges of engines are read as npm reads them", () => {
  assert.ok(includes(">=20.9.0", 20));
  assert.ok(includes("20 || >=22", 20));
  assert.ok(includes("^12.22.0 || ^14.17.0 || >=16.0.0", 20));
  assert.ok(!includes(">=22", 20));
  assert.ok(!includes("^22.12.0 || >=24", 20));
  assert.ok(!includes(">=12 <20", 20));
});

test(`npm ci prints no EBADENGINE on Node ${OLDEST}: every package of the lock file accepts it`, () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const ranges = Object.entries(packages).flatMap(([path, { engines, version }]) =>
    engines?.node === undefined ? [] : [{ path: path === "" ? "swath" : path, version, range: engines.node }],
  );
  assert.ok(ranges.length > 100, `got ${ranges.length} ranges`);
  assert.deepEqual(
    ranges.filter(({ range }) => !includes(range, OLDEST)),
    [],
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { contract } from "../contract.ts";

/** Features whose operations move money, rights or prices, unless they only read. */
const FEATURES = ["apiKeys", "credits", "mfa", "users"] as const;
/** Last words of the addresses of operations that only read. */
const READS = /^(?:list(?:-[a-z]+)*|info|get-remaining-credit|check-geojson|export|authorize|invoice)$/u;
/** Rights that let an operation of any feature pay, or administrate. */
const MOVING = /^(?:credits\.allocate-area|admin\.)/u;

interface Declared {
  readonly name: string;
  readonly path: string;
  readonly permissions: readonly string[];
  /** Of a request that uses every right of the operation. */
  readonly verdict: "refuse" | "warn";
}

const EXTENT = { type: "Point", coordinates: [1, 2] } as const;
/** Members by which a request of a conditional operation pays. */
const PAYING = { allocate: true, extent: EXTENT, sceneIds: ["a"], mapTypes: ["b"], dryRuns: [] };

const OPERATIONS: readonly Declared[] = Object.entries(contract).flatMap(([feature, declarations]) =>
  Object.entries(declarations).flatMap(([name, declaration]): readonly Declared[] => {
    if (declaration.kind === "file") return [];
    const { path, permissions, conditionalPermissions, unknownMembers } = declaration;
    const rule = unknownMembers as Declared["verdict"] | ((request: typeof PAYING) => Declared["verdict"]);
    return [
      {
        name: `${feature}.${name}`,
        path,
        permissions: [...permissions, ...conditionalPermissions],
        verdict: typeof rule === "function" ? rule(PAYING) : rule,
      },
    ];
  }),
);

const isReading = ({ path }: Declared): boolean => READS.test(path.split("/").at(-1) ?? "");
const warning = (operations: readonly Declared[]): readonly string[] =>
  operations.filter(({ verdict }) => verdict === "warn").map(({ name }) => name);

test("operations on money, rights and prices refuse unknown members", () => {
  const moving = OPERATIONS.filter(
    (one) => FEATURES.some((feature) => one.name.startsWith(`${feature}.`)) && !isReading(one),
  );
  assert.ok(moving.length >= 16, String(moving.length));
  assert.deepEqual(warning(moving), []);
});

test("operations that may pay or administrate refuse unknown members of requests that do", () => {
  const moving = OPERATIONS.filter((one) => one.permissions.some((name) => MOVING.test(name)) && !isReading(one));
  for (const name of ["maps.release", "maps.dryRun", "credits.createPriceRule", "users.manage"]) {
    assert.ok(
      moving.some((one) => one.name === name),
      name,
    );
  }
  assert.deepEqual(warning(moving), []);
});

test("a release or dry run that does not pay warns of unknown members", () => {
  const { release, dryRun } = contract.maps;
  assert.ok(typeof release.unknownMembers === "function" && typeof dryRun.unknownMembers === "function");
  assert.equal(release.unknownMembers({ extent: EXTENT, sceneIds: ["a"] }), "warn");
  assert.equal(dryRun.unknownMembers({ extent: EXTENT, dryRuns: [] }), "warn");
});

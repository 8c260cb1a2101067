import { isGranted } from "@swath/kernel/permissions/permission";
import { imageryPermissions } from "../packages/service/src/features/imagery/content-permissions.ts";
import { derivationsOf, dynamicPermissions, requirePermissions } from "../packages/service/src/http/admission.ts";
import type { Derivation } from "../packages/service/src/http/admission.ts";
import { createCatalog } from "../packages/service/src/providers/catalog.ts";
import { providers } from "../packages/service/src/providers/registry.ts";
import { contract } from "../packages/contract/src/contract.ts";
import type { Caller } from "../packages/service/src/platform/context.ts";
import { median, seededRandom } from "./statistics.ts";

const ROUNDS = 15;
const CHECKS = 200_000;
const SIZES = [10, 10_000] as const;

/** A request with two datasets: one static permission and two that follow from the content. */
const REQUEST = {
  datasets: [
    { provider: "pl", dataset: "PSScene4Band_tile" },
    { provider: "esa", dataset: "COPERNICUS/S1_SLC" },
  ],
} as const;

/**
 * One check of a permission, and the whole of what a search asks of its caller, for users with ten and with ten
 * thousand permissions, of which each check asks for another one, as no user does: the caches of the processor are
 * cold. Rounds of both alternate; the slower of what is granted and what is refused counts.
 */
export async function run(): Promise<void> {
  const { search } = contract.imagery;
  const content = imageryPermissions(createCatalog(providers)).search as Derivation;
  const derivations = derivationsOf(search, content);
  const results = SIZES.map(() => ({ granted: [] as number[], refused: [] as number[], operation: [] as number[] }));
  const worlds = SIZES.map(worldOf);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { caller, granted, refused }] of worlds.entries()) {
      const result = results[index];
      if (result === undefined) continue;
      result.granted.push(nanosecondsOf((i) => isGranted(caller.permissions, granted[i % granted.length] ?? "")));
      result.refused.push(nanosecondsOf((i) => isGranted(caller.permissions, refused[i % refused.length] ?? "")));
      result.operation.push(
        nanosecondsOf(() => {
          requirePermissions(caller, search.permissions);
          requirePermissions(caller, dynamicPermissions(derivations, REQUEST, true));
          return true;
        }),
      );
    }
  }
  const [few, many] = results.map((samples, index) => {
    const ns = {
      granted: median(samples.granted),
      refused: median(samples.refused),
      operation: median(samples.operation),
    };
    process.stdout.write(
      `${SIZES[index]} permissions: granted ${ns.granted.toFixed(0)} ns, refused ${ns.refused.toFixed(0)} ns, ` +
        `all of a search ${ns.operation.toFixed(0)} ns\n`,
    );
    return ns;
  });
  if (few === undefined || many === undefined) return;
  const check = Math.max(many.granted, many.refused, few.granted, few.refused);
  const ratio = Math.max(many.granted / few.granted, many.refused / few.refused);
  process.stdout.write(
    `permissions-search ${many.operation.toFixed(0)} ns, ratio ${(many.operation / few.operation).toFixed(2)}\n`,
  );
  process.stdout.write(`permissions ${check.toFixed(0)} ns, ratio ${ratio.toFixed(2)} (10,000 against 10)\n`);
}

interface World {
  readonly caller: Caller;
  readonly granted: readonly string[];
  readonly refused: readonly string[];
}

/** A caller with that many permissions, those of a search among them, and texts it is asked for: never the same object. */
function worldOf(size: number): World {
  const random = seededRandom(size);
  const name = (): string => Math.floor(random() * 0x7fffffff).toString(36);
  const held = Array.from({ length: size - 2 }, () => `imagery.images.${name()}.${name()}`);
  const permissions = new Set([...held, "imagery.availability", "imagery.images.pl"]);
  permissions.add("imagery.images.esa");
  const fresh = (prefix: string): string => Buffer.from(`${prefix}.${name()}`, "utf8").toString("utf8");
  return {
    caller: { kind: "user", userId: "u", groupId: "g", email: "", permissions },
    granted: Array.from({ length: 5000 }, (_, i) => fresh(held[i % held.length] ?? "imagery.images.pl")),
    refused: Array.from({ length: 5000 }, () => fresh(`mapsvc.${name()}.${name()}`)),
  };
}

/** Nanoseconds of processor of one call, over many: what else runs on the machine waits its own turn. */
function nanosecondsOf(check: (index: number) => boolean): number {
  let kept = 0;
  const started = process.cpuUsage();
  for (let i = 0; i < CHECKS; i += 1) if (check(i)) kept += 1;
  const { user, system } = process.cpuUsage(started);
  if (kept !== 0 && kept !== CHECKS) throw new Error(`${kept} of ${CHECKS} were granted, expected all or none`);
  return ((user + system) * 1000) / CHECKS;
}

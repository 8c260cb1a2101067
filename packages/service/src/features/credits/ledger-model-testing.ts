import assert from "node:assert/strict";
import { planAllocation } from "@swath/kernel/credits/allocation";
import { NO_COVERAGE, type Coverage } from "@swath/kernel/credits/coverage";
import { placeHold, releaseHold, settleHold, type Hold } from "@swath/kernel/credits/hold";
import type { Price } from "@swath/kernel/credits/pricing";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { intersection, unionAll } from "@swath/kernel/geometry/clip";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import * as fc from "fast-check";
import { ServiceError, type ErrorCode } from "../../errors.ts";
import { requireBalance } from "./balance.ts";
import { boxArea } from "./testing.ts";

/** Test support: random histories of a ledger, a ledger in memory, and what must hold of any ledger after them. */

/** What can be paid for, each under a key of its own. */
export interface Product extends Price {
  readonly name: string;
  readonly freeArea: MultiPolygon | null;
}

/** Scenes over the same box; the second has a minimum area of about two typical polygons, a part of the third is free. */
export const SCENE_BOUNDS = [14, 50, 14.2, 50.2] as const;
export const FREE_AREA = boxArea([14.05, 50.02, 14.11, 50.2]);
export const PRODUCTS = [
  { name: "plain", microPerKm2: 2_500_001n, minAreaM2: 0, freeArea: null },
  { name: "minimum", microPerKm2: 999_983n, minAreaM2: 40_000_000, freeArea: null },
  { name: "partly-free", microPerKm2: 1_000_000n, minAreaM2: 3_000_000, freeArea: FREE_AREA },
  { name: "free", microPerKm2: 0n, minAreaM2: 0, freeArea: null },
] as const satisfies readonly Product[];

export type Step =
  | { readonly do: "grant"; readonly group: number; readonly micro: bigint }
  | { readonly do: "limit"; readonly group: number; readonly user: number; readonly micro: bigint | null }
  | { readonly do: "licence"; readonly group: number; readonly isValid: boolean }
  | {
      readonly do: "allocate";
      readonly group: number;
      readonly user: number;
      readonly product: number;
      readonly drawn: MultiPolygon;
      /** What of it lies in the scene. */
      readonly area: MultiPolygon;
      readonly costFree: boolean;
      /** How often the same request is sent again, with its idempotency key. */
      readonly repeats: number;
    }
  | {
      readonly do: "order";
      readonly group: number;
      readonly user: number;
      readonly micro: bigint;
      /** Then it is settled for this share of its price, and then, in part or not, returned. */
      readonly settledPercent: bigint | null;
      readonly returned: number | null;
    };

export const GROUPS = 2;
export const USERS = 3;
const group = fc.nat(GROUPS - 1);
const user = fc.nat(USERS - 1);

/** A position of the grid that all polygons are drawn on, seven decimals. */
function at(x: number, y: number): [number, number] {
  return [Math.round((13.99 + x * 1e-4) * 1e7) / 1e7, Math.round((49.99 + y * 1e-4) * 1e7) / 1e7];
}

/** Triangles, boxes and boxes with a corner cut out, over the scenes, some of them reaching out. */
const drawn = fc
  .record({
    shape: fc.constantFrom("triangle", "box", "corner"),
    x: fc.nat(2200),
    y: fc.nat(2200),
    corners: fc.tuple(fc.nat(700), fc.nat(700), fc.nat(700), fc.nat(700)),
  })
  .map(({ shape, x, y, corners: [a, b, c, d] }): MultiPolygon => {
    const [width, height] = [a + 10, b + 10];
    const cut = at(x + (width * c) / 1000, y + (height * d) / 1000);
    const box = [at(x, y), at(x + width, y), at(x + width, y + height), at(x, y + height)];
    const corner = [at(x, y), at(x + width, y), [at(x + width, y)[0], cut[1]], cut, [cut[0], at(x, y + height)[1]]];
    const rings = { triangle: [at(x, y), at(x + a, y + b), at(x + c, y + d)], box, corner: [...corner, box[3]] };
    const ring = rings[shape].flatMap((position): [number, number][] => {
      const [lon, lat] = position ?? [];
      return lon === undefined || lat === undefined ? [] : [[lon, lat]];
    });
    return { type: "MultiPolygon", coordinates: [[[...ring, ring[0] ?? [0, 0]]]] };
  });

/** What is drawn, and what of it lies in the scenes. */
const area = drawn
  .map((whole) => ({ drawn: whole, area: intersection(whole, boxArea(SCENE_BOUNDS)) }))
  .filter((one) => areaKm2(one.area) > 1e-4);

const allocate = fc
  .record({
    do: fc.constant("allocate" as const),
    group,
    user,
    product: fc.nat(PRODUCTS.length - 1),
    area,
    costFree: fc.integer({ min: 0, max: 15 }).map((value) => value === 0),
    repeats: fc.constantFrom(0, 0, 0, 1, 2),
  })
  .map((one) => ({ ...one, ...one.area }));

export const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: allocate, weight: 8 },
  { arbitrary: fc.record({ do: fc.constant("grant" as const), group, micro: fc.bigInt(1n, 150_000_000n) }), weight: 2 },
  {
    arbitrary: fc.record({
      do: fc.constant("limit" as const),
      group,
      user,
      micro: fc.option(fc.bigInt(0n, 200_000_000n)),
    }),
    weight: 1,
  },
  { arbitrary: fc.record({ do: fc.constant("licence" as const), group, isValid: fc.boolean() }), weight: 1 },
  {
    arbitrary: fc.record({
      do: fc.constant("order" as const),
      group,
      user,
      micro: fc.bigInt(0n, 60_000_000n),
      settledPercent: fc.option(fc.bigInt(0n, 105n)),
      returned: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    }),
    weight: 2,
  },
);

/** A history starts with credit, so that most of it can be paid. */
export const history = fc
  .tuple(fc.bigInt(0n, 400_000_000n), fc.array(step, { minLength: 1, maxLength: 12 }))
  .map(([micro, steps]): readonly Step[] => [{ do: "grant", group: 0, micro: micro + 1n }, ...steps]);

export type Allocate = Extract<Step, { do: "allocate" }>;
export type Order = Extract<Step, { do: "order" }>;

export interface Balances {
  readonly remaining: bigint;
  readonly used: bigint;
  /** By user, absent as long as there is no account. */
  readonly users: readonly bigint[];
}

/** What the histories are played on. Refusals are thrown as `ServiceError`. */
export interface Ledger {
  grant(group: number, micro: bigint): Promise<void>;
  setLimit(group: number, user: number, micro: bigint | null): Promise<void>;
  setLicence(group: number, isValid: boolean): Promise<void>;
  check(request: Allocate): Promise<bigint>;
  /** @returns what was charged */
  allocate(request: Allocate, key: string): Promise<bigint>;
  /** Places an order, settles and returns it as it says. @returns what it has cost when all is done */
  order(request: Order, id: string): Promise<bigint>;
  balances(group: number): Promise<Balances>;
}

/** The rules of the kernel on plain variables. */
export class MemoryLedger implements Ledger {
  readonly #groups = Array.from({ length: GROUPS }, () => ({ remaining: 0n, used: 0n, isValid: true }));
  readonly #users = Array.from({ length: GROUPS }, () =>
    Array.from({ length: USERS }, () => ({ used: 0n, limit: null as bigint | null })),
  );
  readonly #coverage = new Map<string, Coverage>();
  readonly #answers = new Map<string, bigint>();

  async grant(index: number, micro: bigint): Promise<void> {
    this.#group(index).remaining += micro;
  }

  async setLimit(index: number, userIndex: number, micro: bigint | null): Promise<void> {
    this.#user(index, userIndex).limit = micro;
  }

  async setLicence(index: number, isValid: boolean): Promise<void> {
    this.#group(index).isValid = isValid;
  }

  async check(request: Allocate): Promise<bigint> {
    this.#requireLicence(request.group);
    return this.#plan(request).cost;
  }

  async allocate(request: Allocate, key: string): Promise<bigint> {
    const earlier = this.#answers.get(key);
    if (earlier !== undefined) return earlier;
    this.#requireLicence(request.group);
    const { cost, after } = this.#plan(request);
    this.#charge(request.group, request.user, cost);
    this.#coverage.set(`${request.group} ${request.product}`, after);
    this.#answers.set(key, cost);
    return cost;
  }

  async order(request: Order): Promise<bigint> {
    this.#requireLicence(request.group);
    const account = this.#group(request.group);
    const spender = this.#user(request.group, request.user);
    const before = { account: { ...account }, spender: { ...spender } };
    try {
      return this.#place(request);
    } catch (error) {
      Object.assign(account, before.account);
      Object.assign(spender, before.spender);
      throw error;
    }
  }

  #place(request: Order): bigint {
    let hold: Hold = placeHold(request.micro, 0);
    this.#charge(request.group, request.user, request.micro);
    let cost = request.micro;
    const apply = (change: { readonly after: Hold; readonly micro: bigint }): void => {
      this.#charge(request.group, request.user, change.micro);
      hold = change.after;
      cost += change.micro;
    };
    const isReturned = request.returned !== null;
    if (request.settledPercent !== null) {
      const micro = (request.micro * request.settledPercent) / 100n;
      apply(settleHold(hold, { micro, areaM2: 0, isFinal: !isReturned }));
    }
    if (request.returned !== null) apply(releaseHold(hold, request.returned));
    return cost;
  }

  async balances(index: number): Promise<Balances> {
    const { remaining, used } = this.#group(index);
    return { remaining, used, users: (this.#users[index] ?? []).map((one) => one.used) };
  }

  #group(index: number) {
    const found = this.#groups[index];
    assert.ok(found !== undefined);
    return found;
  }

  #user(index: number, userIndex: number) {
    const found = this.#users[index]?.[userIndex];
    assert.ok(found !== undefined);
    return found;
  }

  #requireLicence(index: number): void {
    if (!this.#group(index).isValid) throw new ServiceError("LICENSE-EXPIRED", `group ${index}`);
  }

  #plan(request: Allocate) {
    const product = PRODUCTS[request.product];
    assert.ok(product !== undefined);
    return planAllocation({
      before: this.#coverage.get(`${request.group} ${request.product}`) ?? NO_COVERAGE,
      addition: request.area,
      freeAreas: product.freeArea === null ? [] : [product.freeArea],
      price: product,
      costFree: request.costFree,
    });
  }

  #charge(index: number, userIndex: number, micro: bigint): void {
    const account = this.#group(index);
    const spender = this.#user(index, userIndex);
    if (micro > 0n) {
      requireBalance(
        { remainingMicro: account.remaining },
        { limitMicro: spender.limit, usedMicro: spender.used },
        micro,
      );
    }
    account.remaining -= micro;
    account.used += micro;
    spender.used += micro;
  }
}

const REFUSALS: readonly ErrorCode[] = ["INSUFFICIENT-CREDIT", "USER-CREDIT-LIMIT", "LICENSE-EXPIRED", "CREDITS-ERROR"];

async function unlessRefused<Result>(work: () => Promise<Result>): Promise<Result | ErrorCode> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && REFUSALS.includes(error.code)) return error.code;
    throw error;
  }
}

interface Bought {
  readonly areas: MultiPolygon[];
  charged: bigint;
  /** Some of it was a gift: what is charged for the rest depends on the order. */
  hasGifts: boolean;
}

/** What a history has done, kept apart from the ledger it was played on. */
export class Accounts {
  readonly granted = Array.from({ length: GROUPS }, () => 0n);
  readonly spent = Array.from({ length: GROUPS }, () => Array.from({ length: USERS }, () => 0n));
  readonly bought = new Map<string, Bought>();
  readonly refusals: ErrorCode[] = [];

  spend(groupIndex: number, userIndex: number, micro: bigint): void {
    const users = this.spent[groupIndex];
    assert.ok(users !== undefined);
    users[userIndex] = (users[userIndex] ?? 0n) + micro;
  }

  buy({ group: groupIndex, user: userIndex, product, area: bought, costFree }: Allocate, micro: bigint): void {
    this.spend(groupIndex, userIndex, micro);
    const key = `${groupIndex} ${product}`;
    const entry = this.bought.get(key) ?? { areas: [], charged: 0n, hasGifts: false };
    entry.areas.push(bought);
    entry.charged += micro;
    entry.hasGifts ||= costFree;
    this.bought.set(key, entry);
  }

  /** I1, I2, I3 and I10: exact to the micro-credit, group by group. */
  async assertBalanced(ledger: Ledger): Promise<void> {
    for (let index = 0; index < GROUPS; index += 1) {
      const { remaining, used, users } = await ledger.balances(index);
      const spent = this.spent[index] ?? [];
      const total = spent.reduce((sum, micro) => sum + micro, 0n);
      assert.equal(used, total, `used of group ${index}`);
      assert.equal(remaining + used, this.granted[index], `grants of group ${index}`);
      assert.ok(remaining >= 0n, `group ${index} is overdrawn: ${remaining}`);
      for (const [userIndex, micro] of users.entries()) assert.equal(micro, spent[userIndex], `user ${userIndex}`);
    }
  }

  /** I4 and I6: what a scene has cost is the price of the larger of its minimum and the union, found by itself. */
  assertPrices(): void {
    for (const [key, { areas, charged, hasGifts }] of this.bought) {
      const product: Product | undefined = PRODUCTS[Number(key.split(" ")[1])];
      assert.ok(product !== undefined);
      const union = unionAll(areas.flatMap(({ coordinates }) => coordinates));
      const freeKm2 = product.freeArea === null ? 0 : areaKm2(intersection(union, product.freeArea));
      const chargeableM2 = (areaKm2(union) - freeKm2) * 1e6;
      // Less than half a square metre is nothing: neither charged nor a reason for the minimum.
      const dueM2 = chargeableM2 < 1 ? chargeableM2 : Math.max(chargeableM2, product.minAreaM2);
      const perM2 = Number(product.microPerKm2) / 1e6;
      const tolerance = (areas.length + 1) * perM2 + dueM2 * perM2 * 1e-9 + 1;
      const paid = Number(charged);
      assert.ok(paid <= dueM2 * perM2 + tolerance, `${key}: ${paid} is charged for ${dueM2 * perM2}`);
      if (!hasGifts)
        assert.ok(paid >= dueM2 * perM2 - tolerance, `${key}: only ${paid} is charged for ${dueM2 * perM2}`);
    }
  }
}

/** Plays one step. `isAlone` says that nothing else happens meanwhile, so that a check predicts the charge (I9). */
export async function play(ledger: Ledger, accounts: Accounts, one: Step, id: string, isAlone: boolean): Promise<void> {
  switch (one.do) {
    case "grant":
      await ledger.grant(one.group, one.micro);
      accounts.granted[one.group] = (accounts.granted[one.group] ?? 0n) + one.micro;
      return;
    case "limit":
      return await ledger.setLimit(one.group, one.user, one.micro);
    case "licence":
      return await ledger.setLicence(one.group, one.isValid);
    case "order": {
      const cost = await unlessRefused(() => ledger.order(one, id));
      if (typeof cost === "string") accounts.refusals.push(cost);
      else accounts.spend(one.group, one.user, cost);
      return;
    }
    case "allocate": {
      const quoted = isAlone ? await unlessRefused(() => ledger.check(one)) : null;
      const cost = await unlessRefused(() => ledger.allocate(one, id));
      if (typeof cost === "string") {
        accounts.refusals.push(cost);
        return;
      }
      if (quoted !== null) assert.equal(cost, quoted, "a check predicts the charge");
      accounts.buy(one, cost);
      // I5: with the same key the same answer, with another one nothing to pay.
      for (let repeat = 0; repeat < one.repeats; repeat += 1) assert.equal(await ledger.allocate(one, id), cost);
      if (isAlone && one.repeats === 2) {
        assert.equal(await unlessRefused(() => ledger.allocate(one, `${id} again`)), 0n);
      }
    }
  }
}

/** Plays a history on a ledger of its own and asserts everything that must hold. */
export async function playHistory(ledger: Ledger, steps: readonly Step[], id: string): Promise<Accounts> {
  const accounts = new Accounts();
  for (const [index, one] of steps.entries()) {
    await play(ledger, accounts, one, `${id} ${index}`, true);
    await accounts.assertBalanced(ledger);
  }
  accounts.assertPrices();
  return accounts;
}

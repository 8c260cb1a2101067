import assert from "node:assert/strict";
import { planAllocation } from "@swath/kernel/credits/allocation";
import { NO_COVERAGE, type Coverage } from "@swath/kernel/credits/coverage";
import { placeHold, releaseHold, settleHold, type Hold } from "@swath/kernel/credits/hold";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { intersection, unionAll } from "@swath/kernel/geometry/clip";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import {
  GROUPS,
  PRODUCTS,
  USERS,
  type Allocate,
  type Order,
  type Product,
  type Step,
} from "./ledger-histories-testing.ts";

/** Test support: a ledger in memory, and what must hold of any ledger after a history. */

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
    for (const [held, coverage] of after) this.#coverage.set(held, coverage);
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

  /** Lines of one product see what the ones before them add. */
  #plan(request: Allocate) {
    const after = new Map<string, Coverage>();
    let cost = 0n;
    for (const { product: index, area } of request.lines) {
      const product: Product | undefined = PRODUCTS[index];
      assert.ok(product !== undefined);
      const key = `${request.group} ${index}`;
      const plan = planAllocation({
        before: after.get(key) ?? this.#coverage.get(key) ?? NO_COVERAGE,
        addition: area,
        freeAreas: product.freeArea === null ? [] : [product.freeArea],
        price: product,
        costFree: request.costFree,
      });
      after.set(key, plan.after);
      cost += plan.cost;
    }
    return { cost, after };
  }

  #charge(index: number, userIndex: number, micro: bigint): void {
    const account = this.#group(index);
    const spender = this.#user(index, userIndex);
    if (micro > 0n && micro > account.remaining) throw new ServiceError("INSUFFICIENT-CREDIT", `group ${index}`);
    if (micro > 0n && spender.limit !== null && spender.used + micro > spender.limit) {
      throw new ServiceError("USER-CREDIT-LIMIT", `user ${userIndex} of group ${index}`);
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

/** Of a scene with its map types: a request is charged for all of them in one. */
interface Bought {
  /** By product. */
  readonly areas: Map<number, MultiPolygon[]>;
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

  buy({ group: groupIndex, user: userIndex, lines, costFree }: Allocate, micro: bigint): void {
    this.spend(groupIndex, userIndex, micro);
    const scenes = new Set(lines.map(({ product }) => PRODUCTS[product]?.mapTypeOf ?? product));
    const [scene, ...others] = scenes;
    assert.ok(scene !== undefined && others.length === 0, "a request is about one scene");
    const key = `${groupIndex} ${scene}`;
    const entry = this.bought.get(key) ?? { areas: new Map<number, MultiPolygon[]>(), charged: 0n, hasGifts: false };
    for (const { product, area } of lines) entry.areas.set(product, [...(entry.areas.get(product) ?? []), area]);
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
      let due = 0;
      let tolerance = 0;
      for (const [index, bought] of areas) {
        const product: Product | undefined = PRODUCTS[index];
        assert.ok(product !== undefined);
        const union = unionAll(bought.flatMap(({ coordinates }) => coordinates));
        const freeKm2 = product.freeArea === null ? 0 : areaKm2(intersection(union, product.freeArea));
        const chargeableM2 = (areaKm2(union) - freeKm2) * 1e6;
        // Less than half a square metre is nothing: neither charged nor a reason for the minimum.
        const dueM2 = chargeableM2 < 1 ? chargeableM2 : Math.max(chargeableM2, product.minAreaM2);
        const perM2 = Number(product.microPerKm2) / 1e6;
        due += dueM2 * perM2;
        tolerance += (bought.length + 1) * perM2 + dueM2 * perM2 * 1e-9 + 1;
      }
      const paid = Number(charged);
      assert.ok(paid <= due + tolerance, `${key}: ${paid} is charged for ${due}`);
      if (!hasGifts) assert.ok(paid >= due - tolerance, `${key}: only ${paid} is charged for ${due}`);
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

/** What the replay of the log is compared with. */
export const CHECKS = [
  "group balance",
  "user balance",
  "transaction kind",
  "transaction and allocations",
  "coverage",
  "order",
  "request",
] as const;

export type Check = (typeof CHECKS)[number];

/** Something that the log does not account for. */
export interface Difference {
  readonly check: Check;
  /** What it is about, such as `group g1`. */
  readonly subject: string;
  readonly message: string;
}

/** Micro-credits and areas are text in rows: sums may exceed what a number holds exactly. */
export interface GroupRow {
  readonly groupId: string;
  readonly remaining: string;
  readonly used: string;
  readonly granted: string;
  /** Sum of all transactions of the group. */
  readonly logged: string;
  /** Sum of what its users have used. */
  readonly byUsers: string;
}

function expectEqual(check: Check, subject: string, what: string, found: bigint, expected: bigint): Difference[] {
  return found === expected ? [] : [{ check, subject, message: `${what} is ${found}, the log makes it ${expected}` }];
}

/** What a group has is what was granted to it less what was logged. */
export function judgeGroup(row: GroupRow): readonly Difference[] {
  const subject = `group ${row.groupId}`;
  const [remaining, used, granted, logged] = [row.remaining, row.used, row.granted, row.logged].map(BigInt);
  if (remaining === undefined || used === undefined || granted === undefined || logged === undefined) return [];
  const overdrawn: Difference[] =
    remaining < 0n ? [{ check: "group balance", subject, message: `remaining credit is ${remaining}` }] : [];
  return [
    ...expectEqual("group balance", subject, "remaining credit", remaining, granted - logged),
    ...expectEqual("group balance", subject, "used credit", used, logged),
    ...expectEqual("group balance", subject, "the sum of its users' used credit", BigInt(row.byUsers), logged),
    ...overdrawn,
  ];
}

export interface UserRow {
  readonly groupId: string;
  readonly userId: string;
  readonly used: string;
  readonly logged: string;
}

/** What a user has used is the sum of the user's transactions. */
export function judgeUser({ groupId, userId, used, logged }: UserRow): readonly Difference[] {
  return expectEqual("user balance", `user ${userId} of group ${groupId}`, "used credit", BigInt(used), BigInt(logged));
}

export interface OrderRow {
  readonly orderReferenceId: string;
  /** Null: the log names an order that holds nothing. */
  readonly state: string | null;
  readonly preallocated: string;
  readonly reserved: string;
  readonly settled: string;
  readonly returned: string;
  readonly logged: string;
  readonly loggedPreallocations: string;
  readonly loggedReturns: string;
}

/** The entries of an order sum to what it holds and has spent; an order that is over holds nothing. */
export function judgeOrder(row: OrderRow): readonly Difference[] {
  const subject = `order ${row.orderReferenceId}`;
  if (row.state === null) return [{ check: "order", subject, message: "the log names it, but it holds nothing" }];
  const reserved = BigInt(row.reserved);
  const returned = BigInt(row.returned);
  const preallocated = BigInt(row.preallocated);
  const faults: Difference[] = [];
  if (row.state !== "held" && reserved !== 0n)
    faults.push({ check: "order", subject, message: `it is ${row.state} and still holds ${reserved}` });
  if (returned > preallocated)
    faults.push({ check: "order", subject, message: `${returned} were returned of ${preallocated} preallocated` });
  return [
    ...expectEqual("order", subject, "held and settled credit", reserved + BigInt(row.settled), BigInt(row.logged)),
    ...expectEqual("order", subject, "preallocated credit", preallocated, BigInt(row.loggedPreallocations)),
    ...expectEqual("order", subject, "returned credit", returned, -BigInt(row.loggedReturns)),
    ...faults,
  ];
}

import type { ColumnType, Generated, JSONColumnType } from "kysely";

/** 64-bit integers: read as text or number, whatever the driver is set to; written as bigint. */
type BigInteger = ColumnType<string | number | bigint, bigint | number, bigint | number>;
type NullableBigInteger = ColumnType<
  string | number | bigint | null,
  bigint | number | null | undefined,
  bigint | number | null
>;
type Json = JSONColumnType<object>;
type NullableJson = ColumnType<object | null, string | null | undefined, string | null>;
type Time = ColumnType<Date, Date, Date>;

export interface CreditGroupsTable {
  group_id: string;
  remaining_micro: Generated<BigInteger>;
  used_micro: Generated<BigInteger>;
  tier: Generated<string>;
  /** Credit below it is an event; 0: never. */
  low_micro: Generated<BigInteger>;
}

export interface CreditUsersTable {
  group_id: string;
  user_id: string;
  limit_micro: NullableBigInteger;
  used_micro: Generated<BigInteger>;
}

export interface CreditGrantsTable {
  id: string;
  group_id: string;
  micro: BigInteger;
  note: string;
  granted_by: string | null;
  created_at: Time;
}

export interface CreditCoverageTable {
  group_id: string;
  scene_key: string;
  id: Generated<BigInteger>;
  area_cm2: BigInteger;
  chargeable_cm2: BigInteger;
  billed_m2: BigInteger;
  version: BigInteger;
}

export interface CreditCoveragePartsTable {
  id: Generated<BigInteger>;
  coverage_id: BigInteger;
  /** PostgreSQL's `box`: its corner with the largest coordinates, then the opposite one. */
  extent: string;
  area_cm2: BigInteger;
  coordinates: Json;
}

export interface CreditTransactionsTable {
  id: string;
  kind: "credit.allocate" | "credit.preallocate" | "credit.return" | "credit.update";
  created_at: Time;
  user_id: string;
  group_id: string;
  order_reference_id: string | null;
  provider: string | null;
  dataset: string | null;
  scene_id: string | null;
  map_type: string | null;
  area_m2: BigInteger;
  micro: BigInteger;
  allocation_ids: Generated<string[]>;
  tiles: NullableJson;
}

export interface CreditAllocationsTable {
  id: string;
  transaction_id: string;
  group_id: string;
  provider: string;
  dataset: string;
  scene_id: string;
  scene_key: string;
  map_type: string | null;
  tiles: NullableJson;
  geometry: Json;
  created_at: Time;
  status: Generated<string>;
}

export interface CreditRequestsTable {
  group_id: string;
  idempotency_key: string;
  request_hash: string;
  answer: Json;
  created_at: Time;
}

export interface CreditPriceRulesTable {
  id: string;
  provider: string | null;
  dataset: string | null;
  map_type: string | null;
  group_id: string | null;
  tier: string | null;
  micro_per_km2: BigInteger;
  min_area_m2: Generated<BigInteger>;
  area: NullableJson;
  valid_from: Date | null;
  valid_until: Date | null;
  created_at: Date | null;
  created_by: string | null;
}

export interface CreditHoldsTable {
  order_reference_id: string;
  purpose: Generated<"order" | "release">;
  group_id: string;
  user_id: string;
  /** Null: of several. */
  provider: string | null;
  dataset: string | null;
  /** Taken off the balance when the order was placed; returns never exceed it. */
  preallocated_micro: BigInteger;
  preallocated_m2: BigInteger;
  /** Still held for what may come; 0 once the order is over. */
  reserved_micro: BigInteger;
  reserved_m2: BigInteger;
  /** Spent on what was captured. */
  settled_micro: Generated<BigInteger>;
  settled_m2: Generated<BigInteger>;
  returned_micro: Generated<BigInteger>;
  state: Generated<"held" | "settled" | "returned">;
  created_at: Time;
  updated_at: Time;
}

/** Row types of migrations 0005, 0013, 0028 and 0029. */
export interface CreditTables {
  credit_holds: CreditHoldsTable;
  credit_groups: CreditGroupsTable;
  credit_users: CreditUsersTable;
  credit_grants: CreditGrantsTable;
  credit_coverage: CreditCoverageTable;
  credit_coverage_parts: CreditCoveragePartsTable;
  credit_transactions: CreditTransactionsTable;
  credit_allocations: CreditAllocationsTable;
  credit_requests: CreditRequestsTable;
  credit_price_rules: CreditPriceRulesTable;
}

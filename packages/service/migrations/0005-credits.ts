import { sql, type Kysely } from "kysely";

/**
 * Money is whole micro-credits, area whole square metres. `remaining` and `used` of a group are what the log of
 * grants and transactions replays to; the checks make an overdraft impossible whatever the code does.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table credit_groups (
      group_id text constraint credit_groups_pkey primary key,
      remaining_micro bigint not null default 0 constraint credit_groups_remaining_check check (remaining_micro >= 0),
      used_micro bigint not null default 0 constraint credit_groups_used_check check (used_micro >= 0),
      tier text not null default 'standard'
    )`.execute(db);

  await sql`
    create table credit_users (
      group_id text not null constraint credit_users_group_fkey references credit_groups,
      user_id text not null,
      limit_micro bigint constraint credit_users_limit_check check (limit_micro >= 0),
      used_micro bigint not null default 0 constraint credit_users_used_check check (used_micro >= 0),
      constraint credit_users_pkey primary key (group_id, user_id)
    )`.execute(db);

  await sql`
    create table credit_grants (
      id text constraint credit_grants_pkey primary key,
      group_id text not null constraint credit_grants_group_fkey references credit_groups,
      micro bigint not null,
      note text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index credit_grants_group_idx on credit_grants (group_id, created_at)`.execute(db);

  // One row per group and scene key: the union of all that was allocated. `version` counts changes, so that a plan
  // made outside the lock can be used when nothing moved in between.
  await sql`
    create table credit_coverage (
      group_id text not null constraint credit_coverage_group_fkey references credit_groups,
      scene_key text not null,
      geometry jsonb not null,
      area_m2 bigint not null constraint credit_coverage_area_check check (area_m2 >= 0),
      billed_m2 bigint not null constraint credit_coverage_billed_check check (billed_m2 >= 0),
      version bigint not null,
      constraint credit_coverage_pkey primary key (group_id, scene_key)
    )`.execute(db);

  await sql`
    create table credit_transactions (
      id text constraint credit_transactions_pkey primary key,
      kind text not null constraint credit_transactions_kind_check
        check (kind in ('credit.allocate', 'credit.preallocate', 'credit.return', 'credit.update')),
      created_at timestamptz not null,
      user_id text not null,
      group_id text not null constraint credit_transactions_group_fkey references credit_groups,
      order_reference_id text,
      provider text,
      dataset text,
      scene_id text,
      area_m2 bigint not null,
      micro bigint not null,
      allocation_ids text[] not null default '{}',
      tiles jsonb
    )`.execute(db);
  // History lists: newest first within a group or a user.
  await sql`create index credit_transactions_group_idx on credit_transactions (group_id, created_at, id)`.execute(db);
  await sql`create index credit_transactions_user_idx on credit_transactions (user_id, created_at, id)`.execute(db);

  await sql`
    create table credit_allocations (
      id text constraint credit_allocations_pkey primary key,
      transaction_id text not null constraint credit_allocations_transaction_fkey references credit_transactions,
      group_id text not null constraint credit_allocations_group_fkey references credit_groups,
      provider text not null,
      dataset text not null,
      scene_id text not null,
      scene_key text not null,
      tiles jsonb,
      geometry jsonb not null,
      created_at timestamptz not null,
      status text not null default 'active'
    )`.execute(db);
  await sql`create index credit_allocations_group_idx on credit_allocations (group_id, created_at, id)`.execute(db);
  await sql`create index credit_allocations_transaction_idx on credit_allocations (transaction_id)`.execute(db);

  // Answers of requests that named an idempotency key, replayed to a caller who sends the same request again.
  await sql`
    create table credit_requests (
      group_id text not null constraint credit_requests_group_fkey references credit_groups,
      idempotency_key text not null,
      request_hash text not null,
      answer jsonb not null,
      created_at timestamptz not null,
      constraint credit_requests_pkey primary key (group_id, idempotency_key)
    )`.execute(db);

  // Overrides of the price a dataset declares. Null matches everything; a rule with an area makes that area free.
  await sql`
    create table credit_price_rules (
      id text constraint credit_price_rules_pkey primary key,
      provider text,
      dataset text,
      map_type text,
      tier text,
      micro_per_km2 bigint not null constraint credit_price_rules_price_check check (micro_per_km2 >= 0),
      min_area_m2 bigint not null default 0 constraint credit_price_rules_minimum_check check (min_area_m2 >= 0),
      area jsonb,
      valid_from timestamptz,
      valid_until timestamptz,
      constraint credit_price_rules_area_check check (area is null or micro_per_km2 = 0)
    )`.execute(db);

  // The demonstration area: web map tiles 17/121253/75886 to 17/121326/75960, outward to the published polygon.
  await sql`
    insert into credit_price_rules (id, micro_per_km2, area) values ('demonstration-area', 0, ${JSON.stringify({
      type: "MultiPolygon",
      coordinates: [
        [
          [
            [153.0313, -27.5107075],
            [153.2346, -27.5107075],
            [153.2346, -27.3278551],
            [153.0313, -27.3278551],
            [153.0313, -27.5107075],
          ],
        ],
      ],
    })}::text::jsonb)`.execute(db);

  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$`.execute(db);
  for (const table of ["credit_grants", "credit_transactions"]) {
    await sql`
      create trigger ${sql.id(`${table}_append_only`)} before update or delete on ${sql.id(table)}
      for each row execute function refuse_change()`.execute(db);
  }
}

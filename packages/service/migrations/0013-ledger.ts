import { sql, type Kysely } from "kysely";

/**
 * Balances follow the log: inserting transactions and grants changes them, in the same statement, and nothing else
 * can. One update for each group and user of a statement, however many rows it inserts.
 */
async function balancesFollowTheLog(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function apply_credit_transactions() returns trigger language plpgsql as $$
    declare
      accounts int;
      charged int;
    begin
      update credit_groups g
      set remaining_micro = g.remaining_micro - logged.micro, used_micro = g.used_micro + logged.micro
      from (select group_id, sum(micro)::bigint as micro from inserted group by group_id) logged
      where g.group_id = logged.group_id and logged.micro <> 0;
      update credit_users u set used_micro = u.used_micro + logged.micro
      from (select group_id, user_id, sum(micro)::bigint as micro from inserted group by group_id, user_id) logged
      where u.group_id = logged.group_id and u.user_id = logged.user_id and logged.micro <> 0;
      get diagnostics charged = row_count;
      select count(*) into accounts from
        (select 1 from inserted group by group_id, user_id having sum(micro) <> 0) changed;
      if charged <> accounts then
        raise exception 'a transaction names a user without an account in its group'
          using errcode = 'foreign_key_violation', constraint = 'credit_transactions_user_fkey';
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger credit_transactions_apply after insert on credit_transactions
    referencing new table as inserted for each statement execute function apply_credit_transactions()`.execute(db);

  await sql`
    create function apply_credit_grants() returns trigger language plpgsql as $$
    begin
      update credit_groups g set remaining_micro = g.remaining_micro + granted.micro
      from (select group_id, sum(micro)::bigint as micro from inserted group by group_id) granted
      where g.group_id = granted.group_id;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger credit_grants_apply after insert on credit_grants
    referencing new table as inserted for each statement execute function apply_credit_grants()`.execute(db);

  // The triggers above reach these one level deeper than a statement of a client does.
  await sql`
    create function guard_credit_balance() returns trigger language plpgsql as $$
    begin
      if pg_trigger_depth() < 2 then
        raise exception 'balances of % change only with the log', tg_table_name using errcode = 'restrict_violation';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create function guard_credit_limit() returns trigger language plpgsql as $$
    begin
      raise exception 'user % of group % would exceed the limit', new.user_id, new.group_id
        using errcode = 'check_violation', constraint = 'credit_users_limit_reached';
    end $$`.execute(db);
  await sql`
    create trigger credit_groups_guard_update before update on credit_groups for each row
    when (new.remaining_micro <> old.remaining_micro or new.used_micro <> old.used_micro)
    execute function guard_credit_balance()`.execute(db);
  await sql`
    create trigger credit_groups_guard_insert before insert on credit_groups for each row
    when (new.remaining_micro <> 0 or new.used_micro <> 0) execute function guard_credit_balance()`.execute(db);
  await sql`
    create trigger credit_users_guard_update before update on credit_users for each row
    when (new.used_micro <> old.used_micro) execute function guard_credit_balance()`.execute(db);
  await sql`
    create trigger credit_users_guard_insert before insert on credit_users for each row
    when (new.used_micro <> 0) execute function guard_credit_balance()`.execute(db);
  // A limit may be set below what is used; from then on use only shrinks.
  await sql`
    create trigger credit_users_guard_limit before update on credit_users for each row
    when (new.used_micro > old.used_micro and new.used_micro > new.limit_micro)
    execute function guard_credit_limit()`.execute(db);
}

async function logsAreKept(db: Kysely<unknown>): Promise<void> {
  await sql`
    create trigger credit_allocations_append_only before update or delete on credit_allocations
    for each row execute function refuse_change()`.execute(db);
  for (const table of ["credit_groups", "credit_users"]) {
    await sql`
      create trigger ${sql.id(`${table}_kept`)} before delete on ${sql.id(table)}
      for each row execute function refuse_change()`.execute(db);
  }
  for (const table of ["credit_grants", "credit_transactions", "credit_allocations", "credit_groups", "credit_users"]) {
    await sql`
      create trigger ${sql.id(`${table}_no_truncate`)} before truncate on ${sql.id(table)}
      for each statement execute function refuse_change()`.execute(db);
  }
}

/** Credit held for orders, prices of map types, who granted and who priced. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table credit_grants add column granted_by text`.execute(db);
  await sql`alter table credit_transactions add column map_type text`.execute(db);
  await sql`alter table credit_allocations add column map_type text`.execute(db);
  await sql`
    alter table credit_price_rules add column created_at timestamptz, add column created_by text,
      add constraint credit_price_rules_validity_check check (valid_until >= valid_from)`.execute(db);

  await sql`
    alter table credit_transactions add constraint credit_transactions_sign_check check (
      case kind
        when 'credit.allocate' then micro >= 0 and area_m2 >= 0 and order_reference_id is null
        when 'credit.preallocate' then micro >= 0 and area_m2 >= 0 and order_reference_id is not null
        when 'credit.return' then micro <= 0 and area_m2 <= 0 and order_reference_id is not null
        else order_reference_id is not null
      end)`.execute(db);
  await sql`
    create index credit_transactions_order_idx on credit_transactions (order_reference_id, created_at, id)
    where order_reference_id is not null`.execute(db);

  await sql`
    create table credit_holds (
      order_reference_id text constraint credit_holds_pkey primary key,
      group_id text not null,
      user_id text not null,
      provider text not null,
      dataset text not null,
      preallocated_micro bigint not null constraint credit_holds_preallocated_check check (preallocated_micro >= 0),
      preallocated_m2 bigint not null constraint credit_holds_preallocated_m2_check check (preallocated_m2 >= 0),
      reserved_micro bigint not null,
      reserved_m2 bigint not null constraint credit_holds_reserved_m2_check check (reserved_m2 >= 0),
      settled_micro bigint not null default 0 constraint credit_holds_settled_check check (settled_micro >= 0),
      settled_m2 bigint not null default 0 constraint credit_holds_settled_m2_check check (settled_m2 >= 0),
      returned_micro bigint not null default 0
        constraint credit_holds_returned_check check (returned_micro between 0 and preallocated_micro),
      state text not null default 'held' constraint credit_holds_state_check check (state in ('held', 'settled', 'returned')),
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint credit_holds_user_fkey foreign key (group_id, user_id) references credit_users,
      constraint credit_holds_reserved_check check (reserved_micro between 0 and preallocated_micro),
      constraint credit_holds_terminal_check check (state = 'held' or (reserved_micro = 0 and reserved_m2 = 0))
    )`.execute(db);
  await sql`create index credit_holds_group_idx on credit_holds (group_id, created_at)`.execute(db);

  // A licence that has not begun counts as one that ends now.
  await sql`
    create function credit_license_end(starts timestamptz, expires timestamptz, at timestamptz) returns timestamptz
    language sql immutable as $$ select case when starts > at then at else expires end $$`.execute(db);

  await balancesFollowTheLog(db);
  await logsAreKept(db);
}

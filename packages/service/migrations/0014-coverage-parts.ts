import { sql, type Kysely } from "kysely";

/**
 * What a group holds of a scene as parts that share no area, found by their bounds: an allocation reads and writes
 * the parts near it, whatever else the group holds. Areas are whole square centimetres, so that sums are exact.
 */
async function coverageBecomesParts(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table credit_coverage
      add column id bigint generated always as identity constraint credit_coverage_id_key unique,
      add column area_cm2 bigint constraint credit_coverage_area_cm2_check check (area_cm2 >= 0),
      add column chargeable_cm2 bigint
        constraint credit_coverage_chargeable_check check (chargeable_cm2 between 0 and area_cm2)`.execute(db);
  // What was free when it was added is not known any more; what was billed and held is counted as chargeable.
  await sql`
    update credit_coverage set area_cm2 = area_m2 * 10000, chargeable_cm2 = least(area_m2, billed_m2) * 10000`.execute(
    db,
  );
  await sql`
    alter table credit_coverage alter column area_cm2 set not null, alter column chargeable_cm2 set not null`.execute(
    db,
  );

  await sql`
    create table credit_coverage_parts (
      id bigint generated always as identity constraint credit_coverage_parts_pkey primary key,
      coverage_id bigint not null
        constraint credit_coverage_parts_coverage_fkey references credit_coverage (id) on delete cascade,
      extent box not null,
      area_cm2 bigint not null constraint credit_coverage_parts_area_check check (area_cm2 > 0),
      coordinates json not null
    )`.execute(db);
  // Coordinates of a MultiPolygon: [polygon][ring][position][axis].
  await sql`
    insert into credit_coverage_parts (coverage_id, extent, area_cm2, coordinates)
    select c.id, box(point(min((position ->> 0)::float8), min((position ->> 1)::float8)),
        point(max((position ->> 0)::float8), max((position ->> 1)::float8))),
      c.area_cm2, c.geometry -> 'coordinates'
    from credit_coverage c
      cross join jsonb_array_elements(c.geometry -> 'coordinates') polygon
      cross join jsonb_array_elements(polygon -> 0) position
    where c.area_cm2 > 0
    group by c.id, c.area_cm2, c.geometry`.execute(db);
  await sql`create index credit_coverage_parts_extent_idx on credit_coverage_parts using gist (coverage_id, extent)`.execute(
    db,
  );
  await sql`alter table credit_coverage drop column geometry, drop column area_m2`.execute(db);
}

/**
 * Everything that plans of allocations need, in one round trip and of one snapshot: a row for each request, numbered
 * from 1, with the rules that may apply to any of them in the first. `p_of` says which request a key is asked for by.
 */
async function stateIsReadAtOnce(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function credit_states(p_at timestamptz, p_groups text[], p_requests text[], p_providers text[],
      p_datasets text[], p_map_types text[], p_of int[], p_keys text[], p_bounds float8[])
    returns table (n int, tier text, license_until timestamptz, request_hash text, answer jsonb, rules json,
      coverage json)
    language plpgsql stable
    -- Few rows are looked up by their keys, whatever the planner thinks of arrays; planning costs more than that.
    set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
    set plan_cache_mode = force_generic_plan set jit = off
    as $$
    #variable_conflict use_column
    declare
      v_rules json;
    begin
      select json_agg(json_build_object('provider', r.provider, 'dataset', r.dataset, 'mapType', r.map_type,
          'tier', r.tier, 'microPerKm2', r.micro_per_km2::text, 'minAreaM2', r.min_area_m2, 'area', r.area) order by r.id)
        into v_rules
      from credit_price_rules r
      where (r.valid_from is null or r.valid_from <= p_at) and (r.valid_until is null or r.valid_until > p_at)
        and (r.provider is null or r.provider = any(p_providers)) and (r.dataset is null or r.dataset = any(p_datasets))
        and (r.map_type is null or r.map_type = any(p_map_types));
      return query
        with held as materialized (
          select k.of, json_agg(json_build_object('key', c.scene_key, 'version', c.version::text,
              'areaCm2', c.area_cm2::text, 'chargeableCm2', c.chargeable_cm2::text, 'billedM2', c.billed_m2, 'parts', (
                select json_agg(json_build_object('id', p.id::text, 'areaCm2', p.area_cm2::text,
                  'coordinates', p.coordinates) order by p.id)
                from credit_coverage_parts p
                where p.coverage_id = c.id and p.extent && box(point(p_bounds[4 * k.n - 3], p_bounds[4 * k.n - 2]),
                  point(p_bounds[4 * k.n - 1], p_bounds[4 * k.n]))))) as coverage
          from unnest(p_of, p_keys) with ordinality k(of, key, n)
            join credit_coverage c on c.group_id = p_groups[k.of] and c.scene_key = k.key
          group by k.of)
        select q.n::int, c.tier, credit_license_end(g.license_starts_at, g.license_expires_at, p_at), r.request_hash,
          r.answer, case q.n when 1 then v_rules end, held.coverage
        from unnest(p_groups, p_requests) with ordinality q("group", request, n)
          left join credit_groups c on c.group_id = q."group"
          left join groups g on g.id = q."group"
          left join credit_requests r on r.group_id = q."group" and r.idempotency_key = q.request
          left join held on held.of = q.n;
    end $$`.execute(db);
}

/** The whole of an allocation in one statement: locks are held for the writing of a few rows and the commit. */
async function allocationIsOneStatement(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function credit_grow_coverage(p_group text, p_coverage json) returns void language plpgsql as $$
    declare
      c record;
      v_id bigint;
    begin
      for c in
        select * from json_to_recordset(p_coverage) as c("key" text, "areaCm2" bigint, "chargeableCm2" bigint,
          "billedM2" bigint, removed bigint[], inserted json) order by "key"
      loop
        insert into credit_coverage as held (group_id, scene_key, area_cm2, chargeable_cm2, billed_m2, version)
        values (p_group, c.key, c."areaCm2", c."chargeableCm2", c."billedM2", 1)
        on conflict (group_id, scene_key) do update set area_cm2 = excluded.area_cm2,
          chargeable_cm2 = excluded.chargeable_cm2, billed_m2 = excluded.billed_m2, version = held.version + 1
        returning held.id into v_id;
        if cardinality(c.removed) > 0 then
          delete from credit_coverage_parts p where p.coverage_id = v_id and p.id = any(c.removed);
        end if;
        insert into credit_coverage_parts (coverage_id, extent, area_cm2, coordinates)
        select v_id, box(point(p.west, p.south), point(p.east, p.north)), p."areaCm2", p.coordinates
        from json_to_recordset(c.inserted) as p(west float8, south float8, east float8, north float8,
          "areaCm2" bigint, coordinates json);
      end loop;
    end $$`.execute(db);

  // Locks the group, then the user, always in this order, but not against foreign keys to them; inserting into the log changes the balances.
  await sql`
    create function credit_allocate(p_group text, p_user text, p_at timestamptz, p_request text, p_hash text,
      p_cost bigint, p_answer json, p_entries json, p_coverage json,
      out status text, out license_until timestamptz, out remaining text, out user_limit text, out used text,
      out request_hash text, out answer jsonb)
    language plpgsql as $$
    declare
      v_remaining bigint;
      v_limit bigint;
      v_used bigint := 0;
      v_is_known boolean;
    begin
      select c.remaining_micro into v_remaining from credit_groups c where c.group_id = p_group for no key update;
      if not found and p_cost = 0 then
        insert into credit_groups (group_id) values (p_group) on conflict (group_id) do nothing;
        select c.remaining_micro into v_remaining from credit_groups c where c.group_id = p_group for no key update;
      end if;
      v_is_known := found;
      v_remaining := coalesce(v_remaining, 0);
      select u.limit_micro, u.used_micro into v_limit, v_used
      from credit_users u where u.group_id = p_group and u.user_id = p_user for no key update;
      if not found and v_is_known then
        -- Another transaction may be opening the same account, with a limit: what counts is what is there after it.
        insert into credit_users (group_id, user_id) values (p_group, p_user)
        on conflict (group_id, user_id) do nothing;
        select u.limit_micro, u.used_micro into v_limit, v_used
        from credit_users u where u.group_id = p_group and u.user_id = p_user for no key update;
      end if;
      v_used := coalesce(v_used, 0);

      if p_request is not null then
        select r.request_hash, r.answer into credit_allocate.request_hash, credit_allocate.answer
        from credit_requests r where r.group_id = p_group and r.idempotency_key = p_request;
        if found then
          status := 'answered';
          return;
        end if;
      end if;
      select credit_license_end(g.license_starts_at, g.license_expires_at, p_at) into license_until from groups g where g.id = p_group;
      if license_until <= p_at then
        status := 'expired';
        return;
      end if;
      perform from json_to_recordset(p_coverage) as planned("key" text, version bigint)
        left join credit_coverage c on c.group_id = p_group and c.scene_key = planned.key
      where planned.version <> coalesce(c.version, 0);
      if found then
        status := 'moved';
        return;
      end if;
      remaining := v_remaining::text;
      user_limit := v_limit::text;
      used := v_used::text;
      if p_cost > 0 and (p_cost > v_remaining or v_used + p_cost > v_limit) then
        status := 'refused';
        return;
      end if;

      if json_array_length(p_entries) > 0 then
        insert into credit_transactions (id, kind, created_at, user_id, group_id, provider, dataset, scene_id, map_type,
          area_m2, micro, allocation_ids, tiles)
        select e.id, 'credit.allocate', p_at, p_user, p_group, e.provider, e.dataset, e."sceneId", e."mapType",
          e."areaM2", e.micro, array[e."allocationId"], e.tiles
        from json_to_recordset(p_entries) as e(id text, "allocationId" text, provider text, dataset text, "sceneId" text,
          "mapType" text, "areaM2" bigint, micro bigint, tiles jsonb);
        insert into credit_allocations (id, transaction_id, group_id, provider, dataset, scene_id, scene_key, map_type,
          tiles, geometry, created_at)
        select e."allocationId", e.id, p_group, e.provider, e.dataset, e."sceneId", e."sceneKey", e."mapType", e.tiles,
          e.geometry, p_at
        from json_to_recordset(p_entries) as e(id text, "allocationId" text, provider text, dataset text, "sceneId" text,
          "sceneKey" text, "mapType" text, tiles jsonb, geometry jsonb);
        perform credit_grow_coverage(p_group, p_coverage);
      end if;

      answer := p_answer::jsonb || jsonb_build_object('remainingCredit',
        trim_scale(least(v_remaining - p_cost,
          case when v_limit is not null then greatest(v_limit - v_used - p_cost, 0) end)::numeric / 1000000));
      if p_request is not null then
        insert into credit_requests (group_id, idempotency_key, request_hash, answer, created_at)
        values (p_group, p_request, p_hash, credit_allocate.answer, p_at);
      end if;
      status := 'done';
    end $$`.execute(db);
}

/**
 * Allocations in one statement and one commit: starting a statement and waiting for the disk cost more than the rows.
 * No two are of one scene of one group. Requests that are not plainly in order are left to `credit_allocate`.
 */
async function allocationsAreBatched(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function credit_allocate_all(p_at timestamptz, p_requests json, p_entries json, p_changes json, p_parts json,
      p_removed bigint[], p_removed_n int[], p_removed_key text[])
    returns table (n int, status text, license_until timestamptz, remaining text, user_limit text, used text,
      request_hash text, answer jsonb)
    language plpgsql
    -- Few rows are looked up by their keys, whatever the planner thinks of JSON; planning costs more than that.
    set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
    set plan_cache_mode = force_generic_plan set jit = off
    as $$
    #variable_conflict use_column
    declare
      r record;
      v_done int[];
      v_answers jsonb[];
    begin
      -- All of the service locks groups before users, and here groups in their order.
      perform from credit_groups c
      where c.group_id in (select q."group" from json_to_recordset(p_requests) as q("group" text))
      order by c.group_id for no key update;
      insert into credit_users (group_id, user_id)
      select distinct c.group_id, q."user"
      from json_to_recordset(p_requests) as q("group" text, "user" text) join credit_groups c on c.group_id = q."group"
      where not exists (select from credit_users u where u.group_id = c.group_id and u.user_id = q."user")
      order by 1, 2
      on conflict (group_id, user_id) do nothing;
      perform from credit_users u
      where (u.group_id, u.user_id) in
        (select q."group", q."user" from json_to_recordset(p_requests) as q("group" text, "user" text))
      order by u.group_id, u.user_id for no key update;

      -- In the order of their numbers. A group whose requests are not all in order is left to credit_allocate.
      select coalesce(array_agg(one.n), '{}'), array_agg(one.answer || jsonb_build_object('remainingCredit',
          trim_scale(least(one.group_left, case when one.user_left is not null then greatest(one.user_left, 0) end)::numeric
            / 1000000)))
        into v_done, v_answers
      from (
        select sums.*, bool_and(is_valid and (cost = 0 or (group_left >= 0 and (user_left is null or user_left >= 0))))
          over (partition by "group") as is_in_order
        from (
          select q.n, q."group", q.cost, q.answer,
            c.remaining_micro - sum(q.cost) over (partition by q."group" order by q.n) as group_left,
            u.limit_micro - u.used_micro - sum(q.cost) over (partition by q."group", q."user" order by q.n) as user_left,
            c.group_id is not null and u.user_id is not null
              and (g.license_expires_at is null or g.license_expires_at > p_at)
              and (g.license_starts_at is null or g.license_starts_at <= p_at)
              and (q.request is null or not exists
                (select from credit_requests k where k.group_id = q."group" and k.idempotency_key = q.request))
              and not exists (
                select from json_to_recordset(p_changes) as planned(n int, "group" text, "key" text, version bigint)
                  left join credit_coverage h on h.group_id = planned."group" and h.scene_key = planned."key"
                where planned.n = q.n and planned.version <> coalesce(h.version, 0)) as is_valid
          from json_to_recordset(p_requests)
              as q(n int, "group" text, "user" text, request text, cost bigint, answer jsonb)
            left join credit_groups c on c.group_id = q."group"
            left join credit_users u on u.group_id = q."group" and u.user_id = q."user"
            left join groups g on g.id = q."group"
        ) sums
      ) one
      where one.is_in_order;

      if cardinality(v_done) > 0 then
        insert into credit_transactions (id, kind, created_at, user_id, group_id, provider, dataset, scene_id, map_type,
          area_m2, micro, allocation_ids, tiles)
        select e.id, 'credit.allocate', p_at, e."user", e."group", e.provider, e.dataset, e."sceneId", e."mapType",
          e."areaM2", e.micro, array[e."allocationId"], e.tiles
        from json_to_recordset(p_entries) as e(n int, id text, "allocationId" text, "user" text, "group" text,
          provider text, dataset text, "sceneId" text, "mapType" text, "areaM2" bigint, micro bigint, tiles jsonb)
        where e.n = any(v_done);
        insert into credit_allocations (id, transaction_id, group_id, provider, dataset, scene_id, scene_key, map_type,
          tiles, geometry, created_at)
        select e."allocationId", e.id, e."group", e.provider, e.dataset, e."sceneId", e."sceneKey", e."mapType", e.tiles,
          e.geometry, p_at
        from json_to_recordset(p_entries) as e(n int, id text, "allocationId" text, "group" text, provider text,
          dataset text, "sceneId" text, "sceneKey" text, "mapType" text, tiles jsonb, geometry jsonb)
        where e.n = any(v_done);
        insert into credit_coverage as held (group_id, scene_key, area_cm2, chargeable_cm2, billed_m2, version)
        select c."group", c."key", c."areaCm2", c."chargeableCm2", c."billedM2", 1
        from json_to_recordset(p_changes) as c(n int, "group" text, "key" text, "areaCm2" bigint,
          "chargeableCm2" bigint, "billedM2" bigint)
        where c.n = any(v_done)
        on conflict (group_id, scene_key) do update set area_cm2 = excluded.area_cm2,
          chargeable_cm2 = excluded.chargeable_cm2, billed_m2 = excluded.billed_m2, version = held.version + 1;
        if cardinality(p_removed) > 0 then
          delete from credit_coverage_parts p
          where p.id in (select old.id from unnest(p_removed, p_removed_n) old(id, n) where old.n = any(v_done));
        end if;
        insert into credit_coverage_parts (coverage_id, extent, area_cm2, coordinates)
        select h.id, box(point(p.west, p.south), point(p.east, p.north)), p."areaCm2", p.coordinates
        from json_to_recordset(p_parts) as p(n int, "group" text, "key" text, west float8, south float8, east float8,
            north float8, "areaCm2" bigint, coordinates json)
          join credit_coverage h on h.group_id = p."group" and h.scene_key = p."key"
        where p.n = any(v_done);
        insert into credit_requests (group_id, idempotency_key, request_hash, answer, created_at)
        select q."group", q.request, q.hash, done.answer, p_at
        from json_to_recordset(p_requests) as q(n int, "group" text, request text, hash text)
          join unnest(v_done, v_answers) done(n, answer) on done.n = q.n
        where q.request is not null;
        return query select done.n, 'done', null::timestamptz, null, null, null, null, done.answer
          from unnest(v_done, v_answers) done(n, answer);
      end if;

      for r in
        select q.* from json_to_recordset(p_requests) as q(n int, "group" text, "user" text, request text, hash text,
          cost bigint, answer json)
        where not q.n = any(v_done) order by q."group", q.n
      loop
        return query select r.n, one.* from credit_allocate(r."group", r."user", p_at, r.request, r.hash, r.cost, r.answer,
          (select coalesce(json_agg(e), '[]') from json_array_elements(p_entries) e where (e ->> 'n')::int = r.n),
          (select coalesce(json_agg(jsonb_set(jsonb_set(c::jsonb, '{removed}', (
                select coalesce(jsonb_agg(old.id), '[]') from unnest(p_removed, p_removed_n, p_removed_key) old(id, n, key)
                where old.n = r.n and old.key = c ->> 'key')),
              '{inserted}', (
                select coalesce(jsonb_agg(p::jsonb), '[]') from json_array_elements(p_parts) p
                where (p ->> 'n')::int = r.n and p ->> 'key' = c ->> 'key'))), '[]')
            from json_array_elements(p_changes) c where (c ->> 'n')::int = r.n)) one;
      end loop;
    end $$`.execute(db);
}

/** Nearly every statement logs one transaction: that one needs no sums over its rows. */
async function oneTransactionIsAppliedAtOnce(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function apply_credit_transactions() returns trigger language plpgsql as $$
    declare
      one record;
      accounts int;
      charged int;
    begin
      select count(*) as rows, min(group_id) as group_id, min(user_id) as user_id, sum(micro)::bigint as micro
      into one from inserted;
      if one.rows = 1 then
        if one.micro = 0 then
          return null;
        end if;
        update credit_groups g
        set remaining_micro = g.remaining_micro - one.micro, used_micro = g.used_micro + one.micro
        where g.group_id = one.group_id;
        update credit_users u set used_micro = u.used_micro + one.micro
        where u.group_id = one.group_id and u.user_id = one.user_id;
        accounts := 1;
        get diagnostics charged = row_count;
      else
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
      end if;
      if charged <> accounts then
        raise exception 'a transaction names a user without an account in its group'
          using errcode = 'foreign_key_violation', constraint = 'credit_transactions_user_fkey';
      end if;
      return null;
    end $$`.execute(db);
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await coverageBecomesParts(db);
  await stateIsReadAtOnce(db);
  await allocationIsOneStatement(db);
  await allocationsAreBatched(db);
  await oneTransactionIsAppliedAtOnce(db);
}

-- Judges allocations and writes those that are allowed, in one statement and one commit: starting a statement and
-- waiting for the disk cost more than the rows. No two allocations change one scene of one group.
-- The allocations of a group are judged in the order of their numbers, each after the charges of those before it.
-- Answers one row each: `done`; `answered` when the same request was written before, with that answer; `conflict` when
-- its idempotency key belongs to another request; `moved` when its plan is outdated; or the error code of the refusal.
create or replace function credit_allocate(p_at timestamptz, p_requests json, p_entries json, p_changes json,
  p_parts json, p_removed bigint[], p_removed_by int[])
returns table (n int, status text, remaining text, used text, user_limit text, answer jsonb)
language plpgsql
-- Few rows are looked up by their keys, whatever the planner thinks of JSON; planning costs more than that.
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
#variable_conflict use_column
declare
  r record;
  v_group text;
  -- Charges of this statement to the group, and to each of its users.
  v_charged bigint;
  v_charged_to jsonb;
  v_remaining bigint;
  v_used bigint;
  v_keys text[];
  v_done int[] := '{}';
  v_answers jsonb[] := '{}';
begin
  perform credit_lock_accounts(array_agg(q."group"), array_agg(q."user"))
  from json_to_recordset(p_requests) as q("group" text, "user" text);

  for r in
    select q.*, c.remaining_micro, u.used_micro, u.limit_micro,
      credit_is_licensed(g.license_starts_at, g.license_expires_at, p_at) as is_licensed,
      k.request_hash as known_hash, k.answer as known_answer,
      exists (
        select from json_to_recordset(p_changes) as planned(n int, "key" text, version bigint)
          left join credit_coverage h on h.group_id = q."group" and h.scene_key = planned."key"
        where planned.n = q.n and planned.version <> coalesce(h.version, 0)) as is_outdated
    from json_to_recordset(p_requests)
        as q(n int, "group" text, "user" text, request text, hash text, cost bigint, answer jsonb)
      join credit_groups c on c.group_id = q."group"
      join credit_users u on u.group_id = q."group" and u.user_id = q."user"
      left join groups g on g.id = q."group"
      left join credit_requests k on k.group_id = q."group" and k.idempotency_key = q.request
    order by q."group", q.n
  loop
    if v_group is distinct from r."group" then
      v_group := r."group";
      v_charged := 0;
      v_charged_to := '{}';
      v_keys := '{}';
    end if;
    v_remaining := r.remaining_micro - v_charged;
    v_used := r.used_micro + coalesce((v_charged_to ->> r."user")::bigint, 0);
    n := r.n;
    status := case
      when r.known_hash = r.hash then 'answered'
      when r.known_hash is not null then 'conflict'
      -- The answer to a key of this statement is found by the next one.
      when r.is_outdated or r.request = any(v_keys) then 'moved'
      else coalesce(credit_refusal(r.is_licensed, r.cost, v_remaining, v_used, r.limit_micro), 'done')
    end;
    remaining := v_remaining::text;
    used := v_used::text;
    user_limit := r.limit_micro::text;
    answer := r.known_answer;
    if status = 'done' then
      answer := r.answer || jsonb_build_object('remainingCredit',
        trim_scale(credit_spendable(v_remaining - r.cost, v_used + r.cost, r.limit_micro)::numeric / 1000000));
      v_charged := v_charged + r.cost;
      v_charged_to := v_charged_to || jsonb_build_object(r."user", v_used + r.cost - r.used_micro);
      v_keys := array_append(v_keys, r.request);
      v_done := array_append(v_done, r.n);
      v_answers := array_append(v_answers, answer);
    end if;
    return next;
  end loop;

  if cardinality(v_done) = 0 then
    return;
  end if;
  if json_array_length(p_entries) > 0 then
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
    perform credit_grow_coverage(v_done, p_changes, p_parts, p_removed, p_removed_by);
  end if;
  insert into credit_requests (group_id, idempotency_key, request_hash, answer, created_at)
  select q."group", q.request, q.hash, done.answer, p_at
  from json_to_recordset(p_requests) as q(n int, "group" text, request text, hash text)
    join unnest(v_done, v_answers) done(n, answer) on done.n = q.n
  where q.request is not null;
end $$;

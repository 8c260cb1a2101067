-- Writes what groups hold of scenes, of the changes whose numbers are in `p_numbers`; no two are of one scene of one
-- group. The caller has locked the groups. `p_removed` are the ids of parts and `p_removed_by` the changes they go with.
create or replace function credit_grow_coverage(p_numbers int[], p_changes json, p_parts json, p_removed bigint[],
  p_removed_by int[])
returns void language plpgsql
-- Few rows are looked up by their keys, whatever the planner thinks of JSON; planning costs more than that.
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
set plan_cache_mode = force_generic_plan set jit = off
as $$
begin
  insert into credit_coverage as held (group_id, scene_key, area_cm2, chargeable_cm2, billed_m2, version)
  select c."group", c."key", c."areaCm2", c."chargeableCm2", c."billedM2", 1
  from json_to_recordset(p_changes) as c(n int, "group" text, "key" text, "areaCm2" bigint, "chargeableCm2" bigint,
    "billedM2" bigint)
  where c.n = any(p_numbers)
  on conflict (group_id, scene_key) do update set area_cm2 = excluded.area_cm2,
    chargeable_cm2 = excluded.chargeable_cm2, billed_m2 = excluded.billed_m2, version = held.version + 1;
  if cardinality(p_removed) > 0 then
    delete from credit_coverage_parts p
    where p.id in (select old.id from unnest(p_removed, p_removed_by) old(id, n) where old.n = any(p_numbers));
  end if;
  insert into credit_coverage_parts (coverage_id, extent, area_cm2, coordinates)
  select h.id, box(point(p.west, p.south), point(p.east, p.north)), p."areaCm2", p.coordinates
  from json_to_recordset(p_parts) as p(n int, "group" text, "key" text, west float8, south float8, east float8,
      north float8, "areaCm2" bigint, coordinates json)
    join credit_coverage h on h.group_id = p."group" and h.scene_key = p."key"
  where p.n = any(p_numbers);
end $$;

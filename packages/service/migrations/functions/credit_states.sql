-- What the plans of allocations need, in one round trip and from one snapshot: one row for each request, numbered from
-- 1. The first row has the price rules that may apply to any of them. `p_of` is the number of the request that asks
-- for a key; `p_bounds` has west, south, east and north for each key.
create or replace function credit_states(p_at timestamptz, p_groups text[], p_providers text[], p_datasets text[],
  p_map_types text[], p_of int[], p_keys text[], p_bounds float8[])
returns table (n int, tier text, rules json, coverage json)
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
      'groupId', r.group_id, 'tier', r.tier, 'microPerKm2', r.micro_per_km2::text, 'minAreaM2', r.min_area_m2, 'area', r.area) order by r.id)
    into v_rules
  from credit_price_rules_at(p_at) r
  where (r.provider is null or r.provider = any(p_providers)) and (r.dataset is null or r.dataset = any(p_datasets))
    and (r.map_type is null or r.map_type = any(p_map_types)) and (r.group_id is null or r.group_id = any(p_groups));
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
    select q.n::int, coalesce(c.tier, 'standard'), case q.n when 1 then v_rules end, held.coverage
    from unnest(p_groups) with ordinality q("group", n)
      left join credit_groups c on c.group_id = q."group"
      left join held on held.of = q.n;
end $$;

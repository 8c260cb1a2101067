-- Takes the pipelines of a lane whose turns come first: new ones, retries that are due, and those whose worker has let
-- the lease end. A row that still names a worker lost it by a death.
-- `p_of_worker` bounds the running pipelines of a share in the worker, whose counts are `p_held` and `p_running`.
-- `p_of_caller` bounds them in all workers; null for no bound. Claims of such a lane follow one another, because each
-- must see the rows that the one before it has taken.
create or replace function claim_pipelines(p_worker text, p_lane text, p_kinds text[], p_places int[], p_held text[],
  p_running int[], p_of_worker int, p_of_caller int, p_limit int, p_lease_ms double precision)
returns table (id text, kind text, share text, request json, caller json, base_url text, attempt int, failures int,
  deaths int)
language plpgsql
as $$
#variable_conflict use_column
begin
  -- Workers that find nothing wait for nobody.
  if not exists (
    select from pipelines where lane = p_lane and status in ('NEW', 'PROCESSING') and claimable_at <= now()
      and kind = any(p_kinds)
  ) then
    return;
  end if;
  if p_of_caller is not null then
    perform pg_advisory_xact_lock(hashtextextended('claims of the lane ' || p_lane, 0));
  end if;
  return query
  with held as (
    select h.share, h.running from unnest(p_held, p_running) as h (share, running)
  ), everywhere as (
    select p.share, count(*) as running from pipelines p
    where p_of_caller is not null and p.lane = p_lane and p.status = 'PROCESSING' and p.worker is not null
      and p.claimable_at > now()
    group by p.share
  ), due as materialized (
    select p.id, p.kind, p.share, p.turn from pipelines p
    where p.lane = p_lane and p.status in ('NEW', 'PROCESSING') and p.claimable_at <= now()
      and p.kind = any(p_kinds)
      and not exists (select from held h where h.share = p.share and h.running >= p_of_worker)
      and not exists (select from everywhere e where e.share = p.share and e.running >= p_of_caller)
    order by p.turn, p.id
    limit p_limit
    for update skip locked
  ), numbered as (
    select d.id, f.places, coalesce(h.running, 0) as here, coalesce(e.running, 0) as everywhere,
      row_number() over (partition by d.kind order by d.turn, d.id) as of_kind,
      row_number() over (partition by d.share order by d.turn, d.id) as of_share
    from due d
    join unnest(p_kinds, p_places) as f (kind, places) on f.kind = d.kind
    left join held h on h.share = d.share
    left join everywhere e on e.share = d.share
  )
  update pipelines p set
    status = 'PROCESSING', attempt = p.attempt + 1, deaths = p.deaths + (p.worker is not null)::int,
    worker = p_worker, claimable_at = now() + p_lease_ms * interval '1 millisecond', modified_at = now()
  where p.id = any(array(
    select n.id from numbered n
    where n.of_kind <= n.places and n.here + n.of_share <= p_of_worker
      and (p_of_caller is null or n.everywhere + n.of_share <= p_of_caller)
  ))
  returning p.id, p.kind, p.share, p.request, p.caller, p.base_url, p.attempt, p.failures, p.deaths;
end $$;

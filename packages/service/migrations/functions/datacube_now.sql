-- The time until which every batch of datapoints is committed. Waits for commits that are under way, not for
-- transactions.
create or replace function datacube_now() returns timestamptz language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7207036);
  return date_trunc('milliseconds', clock_timestamp());
end $$;

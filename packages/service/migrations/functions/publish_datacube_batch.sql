-- Gives a batch of datapoints the moment from which readers see it, at the commit of its transaction. The lock is held
-- until the commit ends, and datacube_now() waits for it: a reader that has asked for the time has seen every batch of
-- an earlier moment.
create or replace function publish_datacube_batch() returns trigger language plpgsql as $$
declare
  moment timestamptz;
begin
  if not exists (select from datacube_points where batch_id = new.batch_id) then
    delete from datacube_batches where batch_id = new.batch_id;
    return null;
  end if;
  perform pg_advisory_xact_lock(7207036);
  -- Later than any moment of datacube_now(), in whole milliseconds, as callers write moments.
  moment := date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond';
  select greatest(moment, max(first_seen)) into moment from datacube_batches;
  update datacube_batches set first_seen = moment where batch_id = new.batch_id;
  perform count_datacube_batch(new.batch_id, moment);
  -- The writer reads the batch after its commit.
  perform pg_sleep(extract(epoch from moment - clock_timestamp()))
  where moment > clock_timestamp() and moment < clock_timestamp() + interval '10 milliseconds';
  return null;
end $$;

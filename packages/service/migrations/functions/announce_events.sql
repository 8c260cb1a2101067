-- Tells the processes that place events of new ones. Notifications of one transaction are one.
create or replace function announce_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('swath_recorded', '');
  return null;
end $$;

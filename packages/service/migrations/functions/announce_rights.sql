-- Tells every process whose rights a change may concern: the subject in the column that the trigger names, or, without
-- such a column, an empty text for all subjects. The message lets the process of the change know before its caller.
create or replace function announce_rights() returns trigger language plpgsql as $$
declare
  subject text;
begin
  for subject in
    select distinct coalesce(changed ->> tg_argv[0], '') from unnest(
      case tg_op when 'INSERT' then array[to_jsonb(new)] when 'DELETE' then array[to_jsonb(old)]
        when 'UPDATE' then array[to_jsonb(old), to_jsonb(new)] else array['{}'::jsonb] end
    ) as changed
  loop
    perform pg_notify('swath_rights', subject);
    raise info using errcode = 'SW001', message = subject;
  end loop;
  return null;
end $$;

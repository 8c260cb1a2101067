-- The triggers of the log reach a balance one level deeper than a statement of a client does.
create or replace function guard_credit_balance() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'balances of % change only with the log', tg_table_name using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- Takes the transactions of a statement off the balances of their groups and users, with one update of each account.
-- Nearly every statement logs one transaction, which needs no sums over its rows.
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
end $$;

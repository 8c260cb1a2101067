-- Locks the accounts of groups and of one user in each until the transaction ends, and opens those that are missing.
-- Groups are locked before users and both in the order of their names, so that rivals wait instead of deadlocking.
-- A user that is null locks the group alone. The locks leave foreign keys to the rows free.
create or replace function credit_lock_accounts(p_groups text[], p_users text[]) returns void language plpgsql as $$
declare
  v_locked bigint;
begin
  perform from credit_groups c where c.group_id = any(p_groups) order by c.group_id for no key update;
  get diagnostics v_locked = row_count;
  if v_locked < (select count(distinct a.id) from unnest(p_groups) a(id)) then
    insert into credit_groups (group_id) select distinct a.id from unnest(p_groups) a(id) order by 1
    on conflict (group_id) do nothing;
    perform from credit_groups c where c.group_id = any(p_groups) order by c.group_id for no key update;
  end if;

  perform from credit_users u
  where (u.group_id, u.user_id) in (select a."group", a."user" from unnest(p_groups, p_users) a("group", "user"))
  order by u.group_id, u.user_id for no key update;
  get diagnostics v_locked = row_count;
  if v_locked < (select count(distinct (a."group", a."user")) from unnest(p_groups, p_users) a("group", "user")
    where a."user" is not null) then
    insert into credit_users (group_id, user_id)
    select distinct a."group", a."user" from unnest(p_groups, p_users) a("group", "user") where a."user" is not null
    order by 1, 2
    on conflict (group_id, user_id) do nothing;
    perform from credit_users u
    where (u.group_id, u.user_id) in (select a."group", a."user" from unnest(p_groups, p_users) a("group", "user"))
    order by u.group_id, u.user_id for no key update;
  end if;
end $$;

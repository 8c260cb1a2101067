-- Adds the grants of a statement to the credit of their groups.
create or replace function apply_credit_grants() returns trigger language plpgsql as $$
begin
  update credit_groups g set remaining_micro = g.remaining_micro + granted.micro
  from (select group_id, sum(micro)::bigint as micro from inserted group by group_id) granted
  where g.group_id = granted.group_id;
  return null;
end $$;

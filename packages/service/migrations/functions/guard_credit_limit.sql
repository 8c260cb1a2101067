create or replace function guard_credit_limit() returns trigger language plpgsql as $$
begin
  raise exception 'user % of group % would exceed the limit', new.user_id, new.group_id
    using errcode = 'check_violation', constraint = 'credit_users_limit_reached';
end $$;

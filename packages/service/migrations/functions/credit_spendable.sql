-- The micro-credits that a user can still spend: the credit of the group, or less when the user has a limit.
-- A limit may be lower than the use so far; the user can spend nothing then.
create or replace function credit_spendable(p_remaining bigint, p_used bigint, p_limit bigint)
returns bigint language sql immutable
return case when p_limit is null then p_remaining else least(p_remaining, greatest(p_limit - p_used, 0)) end;

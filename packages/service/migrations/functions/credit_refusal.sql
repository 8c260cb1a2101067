-- The error code that refuses a charge to a user, or null when the charge is allowed.
-- A change that costs nothing needs no credit; it may exceed a limit that was lowered.
create or replace function credit_refusal(p_is_licensed boolean, p_cost bigint, p_remaining bigint, p_used bigint,
  p_limit bigint)
returns text language sql immutable
return case
  when not p_is_licensed then 'LICENSE-EXPIRED'
  when p_cost <= 0 then null
  when p_cost > p_remaining then 'INSUFFICIENT-CREDIT'
  when p_used + p_cost > p_limit then 'USER-CREDIT-LIMIT'
end;

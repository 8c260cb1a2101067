-- The price rules that are valid at a moment.
create or replace function credit_price_rules_at(p_at timestamptz) returns setof credit_price_rules
language sql stable as $$
  select * from credit_price_rules r
  where (r.valid_from is null or r.valid_from <= p_at) and (r.valid_until is null or r.valid_until > p_at)
$$;

-- Whether the licence of a group is valid at a moment; a bound that is null is open.
create or replace function credit_is_licensed(p_starts timestamptz, p_expires timestamptz, p_at timestamptz)
returns boolean language sql immutable
return (p_starts is null or p_starts <= p_at) and (p_expires is null or p_expires > p_at);

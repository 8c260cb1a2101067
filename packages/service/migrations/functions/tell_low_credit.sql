-- Records that the credit of a group has fallen below its threshold, in the transaction of the charge. Rising above the
-- threshold records nothing, and makes the next fall an event again.
create or replace function tell_low_credit() returns trigger language plpgsql as $$
begin
  insert into events (type, subject, group_id, data) values (
    'credits.low', 'group:' || new.group_id, new.group_id,
    jsonb_build_object(
      'groupId', new.group_id, 'remainingCredit', new.remaining_micro / 1000000.0, 'threshold', new.low_micro / 1000000.0
    )
  );
  return null;
end $$;

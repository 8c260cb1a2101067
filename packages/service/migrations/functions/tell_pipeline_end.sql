-- Records that a pipeline of an operation has ended, in the transaction that ends it.
create or replace function tell_pipeline_end() returns trigger language plpgsql as $$
begin
  insert into events (type, subject, user_id, group_id, data) values (
    'pipeline.' || lower(new.status), 'pipeline:' || new.id, nullif(new.user_id, ''), nullif(new.group_id, ''),
    jsonb_build_object('pipelineId', new.id, 'operation', new.kind, 'status', new.status)
      || case when new.status = 'FAILED'
        then jsonb_build_object('errorCode', new.error_code, 'errorMessage', left(new.error_message, 1000))
        else '{}' end
  );
  return null;
end $$;

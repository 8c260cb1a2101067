-- Notes scenes that became known, for standing queries of their datasets.
create or replace function note_new_scenes() returns trigger language plpgsql as $$
begin
  insert into scene_arrivals (scene_key)
  select a.scene_key from added a
  where a.dataset_key in (select dataset_key from standing_query_datasets)
  order by a.scene_key;
  return null;
end $$;

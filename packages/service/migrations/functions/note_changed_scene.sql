-- Notes a scene that more callers see than before, or whose pixels have come, for standing queries of its dataset.
create or replace function note_changed_scene() returns trigger language plpgsql as $$
begin
  insert into scene_arrivals (scene_key)
  select new.scene_key
  where exists (select from standing_query_datasets where dataset_key = new.dataset_key);
  return null;
end $$;

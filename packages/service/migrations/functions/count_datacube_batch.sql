-- Adds a batch of datapoints to the counts of its series: the catalogue reads counts, not points.
create or replace function count_datacube_batch(p_batch bigint, p_moment timestamptz) returns void language plpgsql as $$
begin
  insert into datacube_series_versions (series_id, version, datapoint_count)
  select series_id, version, count(*) from datacube_points where batch_id = p_batch group by series_id, version
  on conflict (series_id, version) do update
    set datapoint_count = datacube_series_versions.datapoint_count + excluded.datapoint_count;
  insert into datacube_series_aois (series_id, aoi_key)
  select distinct series_id, aoi_key from datacube_points where batch_id = p_batch
  on conflict do nothing;
  update datacube_series s
  set start_at = least(s.start_at, b.start_at), end_at = greatest(s.end_at, b.end_at),
    datapoint_count = s.datapoint_count + b.points, last_first_seen = p_moment,
    aoi_count = (select count(*) from datacube_series_aois a where a.series_id = s.series_id)
  from (
    select series_id, min(start_at) as start_at, max(end_at) as end_at, count(*) as points
    from datacube_points where batch_id = p_batch group by series_id
  ) b
  where s.series_id = b.series_id;
end $$;

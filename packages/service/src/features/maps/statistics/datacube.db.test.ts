import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { sql } from "kysely";
import { boxPolygon } from "../../credits/testing.ts";
import { addProject } from "../../datacube/testing.ts";
import { exportBench, type ExportBench } from "../export/testing.ts";

const RIGHTS = ["mapsvc", "imagery", "algorithms", "credits", "datacube.write"];
const FORMULA = "expression:nir*2";

interface Point {
  readonly algorithm: string;
  readonly source: string;
  readonly unit: string;
  readonly aoiId: string;
  readonly value: number;
  readonly sceneId: string;
  readonly provenance: string;
}

const feature = (id: string, south: number): object => ({
  type: "Feature",
  id,
  properties: {},
  geometry: boxPolygon([9.02, south, 9.03, south + 0.01]),
});
const areas = { type: "FeatureCollection", features: [feature("north", 49.62), feature("south", 49.6)] };

suite("figures of statistics in the datacube", () => {
  let b: ExportBench;
  let token = "";
  let groupId = "";
  before(async () => {
    b = await exportBench();
    const user = await b.maps.addUser("cube@example.com", RIGHTS);
    token = user.token;
    groupId = user.caller.groupId;
    await addProject(b.maps.db, "fields", ["north", "south"], groupId);
    const other = await b.maps.addUser("other@example.com", RIGHTS);
    await addProject(b.maps.db, "others", ["north"], other.caller.groupId);
  });
  after(() => b[Symbol.asyncDispose]());

  const request = (more: object = {}): object => ({
    areas,
    mapTypes: ["ndvi", FORMULA],
    sceneIds: [b.stored.scene.sceneId],
    cloudFree: false,
    project: "fields",
    ...more,
  });
  const statistics = (more: object = {}) => b.maps.run("/mapsvc/statistics", request(more), token);
  async function points(): Promise<readonly Point[]> {
    const { rows } = await sql<Point>`
      select s.algorithm, s.source, s.unit, a.aoi_id as "aoiId", p.value, p.scene_id as "sceneId", p.provenance
      from datacube_points p join datacube_series s on s.series_id = p.series_id
      join datacube_aois a on a.aoi_key = p.aoi_key
      where s.project = 'fields' order by s.algorithm, a.aoi_id`.execute(b.maps.db);
    return rows;
  }

  test("areas have a mean, a median and a count for each map type, with their scene and their making", async () => {
    const { status, json, text } = await statistics();
    assert.equal(status, 200, text);
    assert.deepEqual(json.datapoints, { written: 12, known: 0 });
    const kept = await points();
    const own = kept.filter(({ algorithm }) => algorithm.startsWith("ndvi"));
    assert.deepEqual(
      own.map(({ algorithm, aoiId, unit }) => [algorithm, aoiId, unit]),
      [
        ["ndvi_count", "north", "pixels"],
        ["ndvi_count", "south", "pixels"],
        ["ndvi_mean", "north", ""],
        ["ndvi_mean", "south", ""],
        ["ndvi_p50", "north", ""],
        ["ndvi_p50", "south", ""],
      ],
    );
    const [north, south] = json.rows;
    assert.deepEqual(
      own.map(({ value }) => value),
      [north.count, south.count, north.mean, south.mean, north.percentiles.p50, south.percentiles.p50],
    );
    const recorded = new Map<string, string>(
      json.provenance.map(({ mapType, provenanceId }: Record<string, string>) => [mapType, provenanceId]),
    );
    assert.equal(recorded.size, 2);
    for (const { source, sceneId, provenance } of kept) {
      assert.deepEqual([source, sceneId], [b.stored.scene.dataset, b.stored.scene.sceneId]);
      const { cloudFree, mapType, provenanceId } = JSON.parse(provenance);
      assert.deepEqual([cloudFree, provenanceId], [false, recorded.get(mapType)], "the record of inputs of the map");
    }
    const names = new Set(kept.filter(({ algorithm }) => !algorithm.startsWith("ndvi")).map((one) => one.algorithm));
    assert.equal(names.size, 3, "an own formula has a name of letters, digits and a hash");
    for (const name of names) assert.match(name, /^expression_nir_2_[0-9a-f]{8}_(?:count|mean|p50)$/);
  });

  test("the same again changes nothing, and other figures are a conflict that leaves none of them", async () => {
    const kept = await points();
    assert.deepEqual((await statistics()).json.datapoints, { written: 0, known: 12 });
    const shifted = { type: "FeatureCollection", features: [feature("north", 49.621), feature("south", 49.6)] };
    const other = await statistics({ areas: shifted, mapTypes: ["gndvi", "ndvi"] });
    assert.deepEqual([other.status, other.json.error], [424, "CONFLICT"]);
    assert.deepEqual(await points(), kept, "also none of gndvi");
  });

  test("projects of others, unknown areas and areas without a name are refused before anything is made", async () => {
    const refused = async (more: object, by = token): Promise<readonly unknown[]> => {
      const { status, json } = await b.maps.post("/mapsvc/statistics/initiate", request(more), by);
      return [status, json.error, json.errorMessage];
    };
    assert.equal((await refused({ project: "others" }))[2], "there is no project others of your group");
    assert.equal((await refused({ project: "none" }))[1], "DATA-NOT-AVAILABLE");
    const unknown = { type: "FeatureCollection", features: [feature("west", 49.6)] };
    assert.match(String((await refused({ areas: unknown }))[2]), /id west, which is no area of the project fields/);
    const twice = { type: "FeatureCollection", features: [feature("north", 49.6), feature("north", 49.61)] };
    assert.match(String((await refused({ areas: twice }))[2]), /have an id twice/);
    const many = Array.from({ length: 20 }, (_, i) => `expression:nir*${i}+red`);
    const hundred = Array.from({ length: 101 }, (_, i) => feature(`f${i}`, 45 + i / 50));
    const wide = await refused({ areas: { ...areas, features: hundred }, mapTypes: many });
    assert.match(String(wide[2]), /101 areas by 20 maps, expected at most 2000 rows/);
    const { token: reader } = await b.maps.addUser("reader@example.com", RIGHTS.slice(0, 4));
    const forbidden = await refused({}, reader);
    assert.equal(forbidden[0], 401);
    assert.match(String(forbidden[2]), /datacube\.write/);
  });
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { RasterError } from "../raster-error.ts";
import { sampleData } from "@swath/base/sample-data";
import type { PixelArray, SourceBand, SourceRaster } from "../source-raster.ts";
import { timeOfName } from "./acquisition-time.ts";
import { readMtl } from "./landsat-mtl.ts";
import { readSceneMetadata, type SceneUpload } from "./read-scene-metadata.ts";
import { readSceneDocument } from "./scene-document.ts";
import type { SceneMetadata } from "./scene-metadata.ts";

const { signal } = new AbortController();
const ingestedAt = new Date("2026-11-20T10:11:12Z");

const PLAIN_BAND: SourceBand = {
  dataType: "uint16",
  description: null,
  wavelengthNm: null,
  nodata: null,
  scale: 1,
  offset: 0,
  unit: null,
  colorInterpretation: "undefined",
};

function raster(
  bands: readonly Partial<SourceBand>[],
  metadata: Record<string, string> = {},
  pixel = 100,
): SourceRaster {
  return {
    widthPx: 4,
    heightPx: 4,
    bands: bands.map((band) => ({ ...PLAIN_BAND, ...band })),
    georeference: { kind: "none" },
    crs: null,
    palette: null,
    hasMask: false,
    metadata,
    blockHeightPx: 4,
    readRows: async (_first, count) => bands.map((): PixelArray => new Float32Array(4 * count).fill(pixel)),
    readMask: async () => null,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function read(name: string, source: SourceRaster, upload: Partial<SceneUpload> = {}): Promise<SceneMetadata> {
  return readSceneMetadata(
    { name, rasters: [{ name, raster: source }], document: null, ingestedAt, ...upload },
    signal,
  );
}

const roles = (metadata: SceneMetadata) => metadata.bands.map((band) => band.role);

test("twelve unnamed bands take Sentinel-2 ids from a list, long names first", async () => {
  const list = "B01,B02,B03,B04,B05,B06,B07,B08,B8A,B09,B11,B12";
  const source = raster(Array.from({ length: 12 }, () => ({ dataType: "int16" as const })));
  const options = await read("tile.tif", source, { bands: list, sensor: "sentinel-2" });
  const document = readSceneDocument({
    sensor: "sentinel-2",
    bands: list,
    sunElevation: 30,
    satellite: "SENTINEL-2B",
    datetime: "2024-06-30T10:20:30.5Z",
  });
  const described = await read("tile.tif", source, { document });
  for (const metadata of [options, described]) {
    assert.deepEqual(roles(metadata), ["A", "B", "G", "R", "RE1", "RE2", "RE3", "N", "N2", "WV", "S1", "S2"]);
    assert.deepEqual(metadata.bands[3]?.names, ["Red", "red", "r", "B04"]);
    assert.equal(metadata.bands[3]?.gsdM, 10);
    assert.equal(metadata.bands[3]?.quantity, "reflectance");
  }
  // A pixel of 1234 is reflectance 0.1234 after the division by sin(sunElevation) that the interface defines.
  const mult = described.bands[3]?.reflectanceMult ?? 0;
  assert.ok(Math.abs((mult * 1234) / Math.sin(Math.PI / 6) - 0.1234) < 1e-12);
  assert.equal(options.bands[3]?.reflectanceMult, 1e-4);
  assert.equal(described.datetime, "2024-06-30 10:20:30");
  assert.equal(described.datetimeSource, "document");
  assert.equal(described.satellite, "SENTINEL-2B");
});

test("files that name their product, their bands, wavelengths or colours need no document", async () => {
  const leipzig = raster(
    ["b02", "b03", "b04", "b08", "ndvi"].map((description) => ({ description, dataType: "float32" as const })),
    {},
    900,
  );
  const named = await read("leipzig.tif", leipzig);
  assert.deepEqual(roles(named), ["B", "G", "R", "N", null]);
  assert.equal(named.bands[0]?.reflectanceMult, 1e-4);
  assert.deepEqual(named.bands[4]?.names, ["ndvi"]);

  const wavelengths = await read("x.tif", raster([490, 560, 665, 842, 1610].map((wavelengthNm) => ({ wavelengthNm }))));
  assert.deepEqual(roles(wavelengths), ["B", "G", "R", "N", "S1"]);
  assert.deepEqual(wavelengths.bands[0]?.names, ["Blue", "blue", "b"]);

  const colours = (["red", "green", "blue", "undefined"] as const).map((colorInterpretation) => ({
    colorInterpretation,
    dataType: "uint8" as const,
  }));
  const photo = await read("x.tif", raster(colours));
  assert.deepEqual(roles(photo), ["R", "G", "B", "N"]);
  assert.equal(photo.bands[0]?.quantity, "display");

  const planet = await read(
    "20240102_030405_12_2414_3B_AnalyticMS_SR_8b_clip.tif",
    raster(Array.from({ length: 8 }, () => ({}))),
  );
  assert.deepEqual(roles(planet), ["A", "B", "G1", "G", "Y", "R", "RE1", "N"]);
  assert.equal(planet.datetime, "2024-01-02 03:04:05");

  const unknown = await read("x.tif", raster([{}, {}]));
  assert.deepEqual(
    unknown.bands.map((band) => band.names),
    [["Band 1"], ["Band 2"]],
  );
  assert.equal(unknown.satellite, "unknown");
  assert.equal(unknown.datetime, "2026-11-20 10:11:12");
  assert.equal(unknown.datetimeSource, "unknown");
});

test("Landsat bands are numbered by sensor: B5 is near infrared on Landsat 8 and short-wave on Landsat 5", async () => {
  const files = ["B2", "B3", "B4", "B5"];
  for (const [prefix, expected] of [
    ["LC08_L2SP_008059_20191201_20200825_02_T1_SR", ["B", "G", "R", "N"]],
    ["LT52240631988227CUB02", ["G", "R", "N", "S1"]],
  ] as const) {
    const rasters = files.map((id) => ({ name: `${prefix}_${id}.TIF`, raster: raster([{}]) }));
    const metadata = await readSceneMetadata({ name: `${prefix}.zip`, rasters, document: null, ingestedAt }, signal);
    assert.deepEqual(roles(metadata), expected);
    assert.deepEqual(
      metadata.bands.map((band) => band.raster),
      [0, 1, 2, 3],
    );
  }
});

test("radar bands take their polarisation from names, and decibels from values or names", async () => {
  const grd = await read("s1a-iw-grd-vh-20210809t173953-20210809t174018.tiff", raster([{}]));
  assert.deepEqual(
    [grd.bands[0]?.role, grd.bands[0]?.quantity, grd.satellite],
    ["VH", "backscatter-linear", "SENTINEL-1A"],
  );
  assert.equal(grd.datetime, "2021-08-09 17:39:53");
  const decibel = await read(
    "S1_scene.tif",
    raster(
      [
        { description: "VV", dataType: "float32" },
        { description: "VH", dataType: "float32" },
      ],
      {},
      -12,
    ),
  );
  assert.deepEqual(
    decibel.bands.map((band) => band.quantity),
    ["backscatter-db", "backscatter-db"],
  );
});

test("times are read from the forms that file names have, and implausible digits are not times", () => {
  const cases: Readonly<Record<string, string | undefined>> = {
    "S1A_IW_GRDH_20180716T004042_iw-vv": "2018-07-16 00:40:42",
    LS20010525: "2001-05-25 00:00:00",
    S2A2A_20170703_022_Barbellino: "2017-07-03 00:00:00",
    LC08_L2SP_008059_20191201_20200825_02_T1: "2019-12-01 00:00:00",
    LT52240631988227CUB02: "1988-08-14 00:00:00",
    "20170719_180901_101d_3B_AnalyticMS": "2017-07-19 18:09:01",
    "S1_portLA_2021-01-05_VV_dB": "2021-01-05 00:00:00",
    "viirs_monthly_mumbai_2013-01": "2013-01-01 00:00:00",
    m_4709963_se_14_1_20100629: "2010-06-29 00:00:00",
    "433D_629L_3_1_S2L2A": undefined,
    "12345678_99999999": undefined,
    scene: undefined,
  };
  for (const [name, expected] of Object.entries(cases)) assert.equal(timeOfName(name)?.datetime, expected, name);
});

test("a date in the name beats a TIFF time of another day, and takes the hour of one of the same day", async () => {
  const same = await read("p_20170719_x.tif", raster([{}], { TIFFTAG_DATETIME: "2017:07:19 18:09:01" }));
  assert.equal(same.datetime, "2017-07-19 18:09:01");
  const other = await read("p_20170719_x.tif", raster([{}], { TIFFTAG_DATETIME: "2019:01:01 00:00:00" }));
  assert.equal(other.datetime, "2017-07-19 00:00:00");
  const item = await read(
    "p.tif",
    raster([{}], { datetime: "2020-04-11T23:43:09.000000000", TIFFTAG_DATETIME: "2021:01:01 00:00:00" }),
  );
  assert.deepEqual([item.datetime, item.datetimeSource], ["2020-04-11 23:43:09", "metadata"]);
});

test("scene.json bands by file, by index and with null choose and describe bands; wrong lists are refused", async () => {
  const rasters = [
    { name: "ms.tif", raster: raster([{}, {}, {}]) },
    { name: "pan.tif", raster: raster([{}]) },
  ];
  const upload = { name: "x.zip", rasters, ingestedAt };
  const byFile = readSceneDocument({
    nodata: 0,
    bands: [
      { file: "pan.tif", role: "P", gsd: 0.5, radianceMult: 0.01 },
      { file: "MS.TIF", index: 3, names: ["NIR", "near-ir"], role: "N" },
    ],
  });
  const metadata = await readSceneMetadata({ ...upload, document: byFile }, signal);
  assert.deepEqual(
    metadata.bands.map(({ raster: file, band, role, names, nodata }) => ({ file, band, role, names, nodata })),
    [
      { file: 1, band: 0, role: "P", names: ["Panchromatic", "pan"], nodata: 0 },
      { file: 0, band: 2, role: "N", names: ["NIR", "near-ir"], nodata: 0 },
    ],
  );
  assert.equal(metadata.bands[0]?.radianceMult, 0.01);
  const partial = await readSceneMetadata(
    { ...upload, document: readSceneDocument({ bands: ["red", null, "blue", "pan"] }) },
    signal,
  );
  assert.deepEqual(
    partial.bands.map(({ raster: file, band, role }) => [file, band, role]),
    [
      [0, 0, "R"],
      [0, 2, "B"],
      [1, 0, "P"],
    ],
  );
  for (const [json, message] of [
    [{ bands: ["red"] }, /lists 1 bands, the files hold 4/],
    [{ bands: [{ file: "other.tif" }] }, /band 1 of "other\.tif"/],
  ] as const) {
    await assert.rejects(
      readSceneMetadata({ ...upload, document: readSceneDocument(json) }, signal),
      (error) => error instanceof RasterError && error.reason === "bad-document" && message.test(error.message),
    );
  }
  for (const json of [
    null,
    [],
    3,
    { bands: 3 },
    { bands: [{ role: "Q" }] },
    { datetime: "yesterday" },
    { sunElevation: "high" },
    { orbitPass: "up" },
    { bands: [{ names: [] }] },
  ]) {
    assert.throws(() => readSceneDocument(json), { reason: "bad-document" });
  }
});

test("STAC items of Sentinel-2, Landsat 7 and Sentinel-1 give sun, cloud, orbit and bands", (t) => {
  const folder = sampleData("stac", "single");
  if (folder === null) return t.skip("sample data absent");
  const item = (name: string) => readSceneDocument(JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8")));
  const s2 = item("S2A_MSIL2A_20190212T192651_N0212_R013_T07HFE_20201007T160857");
  assert.equal(s2.fields.datetime, "2019-02-12 19:26:51");
  assert.equal(s2.fields.satellite, "SENTINEL-2A");
  assert.ok(Math.abs((s2.fields.cloudCover ?? 0) - 0.51580326) < 1e-12);
  const red = s2.bands?.find((band) => band?.role === "R");
  assert.equal(red?.reflectanceMult, 1e-4);
  const landsat = item("LE07_L2SP_021030_20100109_02_T1");
  assert.equal(landsat.bands?.find((band) => band?.role === "R")?.reflectanceMult, 2.75e-5);
  assert.ok((landsat.fields.sunElevation ?? 0) > 0);
  const s1 = item("S1A_IW_GRDH_1SDV_20210809T173953_20210809T174018_039156_049F13");
  assert.deepEqual(
    [
      s1.fields.orbitPass,
      s1.fields.lookSide,
      s1.fields.relativeOrbitNumberStart,
      s1.fields.mode,
      s1.fields.sliceNumber,
      s1.fields.looks,
    ],
    ["ascending", "right", 59, "IW", 7, 4.4],
  );
});

test("the metadata file of a Planet order and its STAC item give the quality of the scene", () => {
  const geometry = { type: "Point", coordinates: [14, 50] };
  for (const prefix of ["", "pl:"]) {
    const properties = {
      datetime: "2024-01-01T10:10:10Z",
      [`${prefix}anomalous_pixels`]: 0.14,
      [`${prefix}ground_control`]: false,
      [`${prefix}quality_category`]: "test",
    };
    const { fields } = readSceneDocument({ type: "Feature", id: "a", geometry, properties, assets: {} });
    assert.deepEqual(
      [fields.anomalousRatio, fields.groundControlFlag, fields.sensorQualityFlag],
      [0.14, false, false],
      prefix,
    );
    const wrong = { ...properties, [`${prefix}anomalous_pixels`]: 14, [`${prefix}ground_control`]: "yes" };
    const other = readSceneDocument({ type: "Feature", id: "a", geometry, properties: wrong, assets: {} }).fields;
    assert.deepEqual([other.anomalousRatio, other.groundControlFlag], [undefined, undefined], prefix);
  }
});

test("Landsat MTL files in text and JSON give factors per band", (t) => {
  const text = sampleData("optical_landsat", "LT52240631988227CUB02", "LT52240631988227CUB02_MTL.txt");
  const json = sampleData(
    "optical_landsat",
    "LC08_L2SP_008059_20191201_20200825_02_T1",
    "LC08_L2SP_008059_20191201_20200825_02_T1_MTL.json",
  );
  if (text === null || json === null) return t.skip("sample data absent");
  const tm = readMtl(readFileSync(text, "utf8"));
  assert.equal(tm?.fields.datetime, "1988-08-14 13:00:47");
  assert.equal(tm?.fields.satellite, "LANDSAT-5");
  const third = tm?.bands?.find((band) => band?.id === "B3");
  assert.equal(third?.radianceMult, 1.044);
  // The file states radiance only: pi d^2 / E0 with E0 = 1536 and d = 1.0130 au on 14 August (Chander et al. 2009, table 6).
  assert.ok(Math.abs((third?.reflectanceMult ?? 0) / ((1.044 * Math.PI * 1.013 ** 2) / 1536) - 1) < 1e-3);
  assert.equal(third?.sunCorrected, false);
  const oli = readMtl(readFileSync(json, "utf8"));
  const red = oli?.bands?.find((band) => band?.id === "B4");
  assert.deepEqual([red?.reflectanceMult, red?.reflectanceAdd, red?.sunCorrected], [2.75e-5, -0.2, true]);
  assert.ok(Math.abs((oli?.fields.sunElevation ?? 0) - 57.08727307) < 1e-6);
  assert.equal(readMtl("nothing"), null);
});

test("texts that no database can keep are refused where they stand", () => {
  for (const satellite of ["a\0b", "\ud800"]) {
    assert.throws(() => readSceneDocument({ satellite }), /satellite is .*expected a text without U\+0000/s);
    assert.throws(() => readSceneDocument({ bands: [{ names: [satellite] }] }), RasterError);
  }
});

import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { sampleData } from "@swath/base/sample-data";
import { ALICE, contextOf, ingestionBench } from "./testing.ts";

interface Expected {
  /** EPSG code, 0 for a user-defined CRS. */
  readonly epsg: number;
  readonly bands: number;
  /** Mean of the first band's valid pixels, as `gdalinfo -stats` prints it. */
  readonly mean: number;
}

/** Every TIFF of the sample folder: what it becomes, or the code it is refused with. */
const FILES: Readonly<Record<string, Expected | { readonly refused: string; readonly reason: RegExp }>> = {
  "aircraft/planetscope_SFO.tif": { epsg: 32610, bands: 3, mean: 158.675 },
  "change_optical/LS20010525.tif": { epsg: 32631, bands: 3, mean: 78.4036 },
  "change_optical/LS20010626.tif": { epsg: 32631, bands: 3, mean: 65.5688 },
  "change_optical/naip_m_4709963_se_14_1_20100629_crop.tif": { epsg: 26914, bands: 4, mean: 101.053 },
  "change_optical/naip_m_4709963_se_14_1_20150926_crop.tif": { epsg: 26914, bands: 4, mean: 119.802 },
  "change_optical/pucallpa_landsat_1990.tif": { epsg: 4326, bands: 4, mean: 93.4608 },
  "change_optical/pucallpa_landsat_2010.tif": { epsg: 4326, bands: 4, mean: 102.895 },
  "change_s2_two_dates/S2A2A_20170703_022_Barbellino_BOA_10.tif": { epsg: 32632, bands: 11, mean: 789.202 },
  "change_s2_two_dates/S2A2A_20170703_022_Barbellino_NDVI_10.tif": { epsg: 32632, bands: 1, mean: 3225.87 },
  "change_s2_two_dates/S2A2A_20170703_022_Barbellino_SCL_10.tif": { epsg: 32632, bands: 1, mean: 5.19841 },
  "change_s2_two_dates/S2A2A_20190723_022_Barbellino_BOA_10.tif": { epsg: 32632, bands: 11, mean: 721.357 },
  "change_s2_two_dates/S2A2A_20190723_022_Barbellino_NDVI_10.tif": { epsg: 32632, bands: 1, mean: 1912.96 },
  "change_s2_two_dates/S2A2A_20190723_022_Barbellino_SCL_10.tif": { epsg: 32632, bands: 1, mean: 5.06349 },
  "dem_landcover/433D_629L_3_1_DEM.tif": { epsg: 32718, bands: 1, mean: 135.041 },
  "dem_landcover/copdem30_sao_tome_crop.tif": { epsg: 4326, bands: 1, mean: 551.615 },
  "dem_landcover/esa_worldcover_2021_sao_tome_crop.tif": { epsg: 4326, bands: 1, mean: 45.6144 },
  "dem_landcover/sinop_2014_class_probabilities.tif": { epsg: 0, bands: 9, mean: 342.403 },
  "more/38D_378R_2_3_LULC_reference.tif": { epsg: 32736, bands: 1, mean: 6.84329 },
  "more/38D_378R_2_3_S1RTC.tif": { epsg: 32736, bands: 2, mean: -12.6725 },
  "more/38D_378R_2_3_S2L1C.tif": { epsg: 32736, bands: 13, mean: 1396.55 },
  "more/38D_378R_2_3_S2L2A.tif": { epsg: 32736, bands: 12, mean: 686.857 },
  "more/clouds_landsat5.tif": { epsg: 32632, bands: 6, mean: 1787.88 },
  "more/clouds_landsat5_labels.tif": { epsg: 32632, bands: 1, mean: 2.61498 },
  "more/clouds_sentinel2.tif": { epsg: 32632, bands: 6, mean: 1834.13 },
  "more/clouds_sentinel2_labels.tif": { epsg: 32632, bands: 1, mean: 2.85568 },
  "more/trees_OSBS_029.tif": { epsg: 32617, bands: 3, mean: 156.461 },
  "more/trees_SOAP_061.tif": { epsg: 32617, bands: 3, mean: 117.099 },
  "nightlights/viirs_monthly_mumbai_2013-01.tif": { epsg: 4326, bands: 1, mean: 16.3141 },
  "nightlights/viirs_monthly_mumbai_2019-01.tif": { epsg: 4326, bands: 1, mean: 17.4282 },
  "nightlights/viirs_monthly_mumbai_2019-02.tif": { epsg: 4326, bands: 1, mean: 19.5132 },
  "optical_landsat/LC08_L2SP_008059_20191201_20200825_02_T1/LC08_L2SP_008059_20191201_20200825_02_T1_QA_PIXEL.TIF": {
    epsg: 32618,
    bands: 1,
    mean: 16619.8,
  },
  "optical_landsat/LC08_L2SP_008059_20191201_20200825_02_T1/LC08_L2SP_008059_20191201_20200825_02_T1_SR_B4.TIF": {
    epsg: 32618,
    bands: 1,
    mean: 20037.5,
  },
  "optical_landsat/LC08_L2SP_008059_20191201_20200825_02_T1/LC08_L2SP_008059_20191201_20200825_02_T1_SR_B5.TIF": {
    epsg: 32618,
    bands: 1,
    mean: 26861.8,
  },
  "optical_landsat/LC08_L2SP_008059_20191201_20200825_02_T1/LC08_L2SP_008059_20191201_20200825_02_T1_SR_B6.TIF": {
    epsg: 32618,
    bands: 1,
    mean: 20423.5,
  },
  "optical_landsat/LT52240631988227CUB02/LT52240631988227CUB02_B1.TIF": { epsg: 32622, bands: 1, mean: 61.2793 },
  "optical_landsat/LT52240631988227CUB02/LT52240631988227CUB02_B2.TIF": { epsg: 32622, bands: 1, mean: 24.3219 },
  "optical_landsat/LT52240631988227CUB02/LT52240631988227CUB02_B3.TIF": { epsg: 32622, bands: 1, mean: 17.3479 },
  "optical_landsat/LT52240631988227CUB02/LT52240631988227CUB02_B4.TIF": { epsg: 32622, bands: 1, mean: 64.1435 },
  "optical_landsat/LT52240631988227CUB02/LT52240631988227CUB02_B5.TIF": { epsg: 32622, bands: 1, mean: 46.732 },
  "optical_landsat/LT52240631988227CUB02/LT52240631988227CUB02_B6.TIF": { epsg: 32622, bands: 1, mean: 137.593 },
  "optical_landsat/LT52240631988227CUB02/LT52240631988227CUB02_B7.TIF": { epsg: 32622, bands: 1, mean: 14.8198 },
  "optical_s2/433D_629L_3_1_LULC_reference.tif": { epsg: 32718, bands: 1, mean: 3.99041 },
  "optical_s2/433D_629L_3_1_NDVI_expected.tif": { epsg: 32718, bands: 1, mean: 0.301302 },
  "optical_s2/433D_629L_3_1_S2L1C.tif": { epsg: 32718, bands: 13, mean: 2318.18 },
  "optical_s2/433D_629L_3_1_S2L2A.tif": { epsg: 32718, bands: 12, mean: 1327.8 },
  "optical_s2/637U_59R_1_3_LULC_reference.tif": { epsg: 32632, bands: 1, mean: 4.34517 },
  "optical_s2/637U_59R_1_3_NDVI_expected.tif": { epsg: 32632, bands: 1, mean: 0.651905 },
  "optical_s2/637U_59R_1_3_S2L2A.tif": { epsg: 32632, bands: 12, mean: 128.874 },
  "optical_s2/leipzig_raster.tif": { epsg: 32632, bands: 8, mean: 1137.49 },
  "optical_vhr/rotterdam_port_rgb_4p5m.tif": { epsg: 32631, bands: 3, mean: 112.677 },
  "optical_vhr/rotterdam_wv2_ms1.tif": { epsg: 32631, bands: 4, mean: 109.488 },
  "optical_vhr/rotterdam_wv2_pan1.tif": { epsg: 32631, bands: 1, mean: 199.565 },
  "precipitation/gpm_imerg_1d_20240617_west_180W-105W.tif": { epsg: 4326, bands: 1, mean: 11.079 },
  "sar_highres/rotterdam_capella_quadpol_db_4p5m.tif": { epsg: 32631, bands: 4, mean: -11.0524 },
  "sar_s1/433D_629L_3_1_S1RTC.tif": { epsg: 32718, bands: 2, mean: -12.4216 },
  "sar_s1/637U_59R_1_3_S1RTC.tif": { epsg: 32632, bands: 2, mean: -10.0734 },
  "sar_s1/S1A_IW_GRDH_20180716T004042_iw-vv_thinned.tiff": { epsg: 32643, bands: 1, mean: 224.44 },
  "sar_slc/s1a-iw3-slc-vv_20220918_crop.tif": { refused: "UNSUPPORTED-IMAGERY", reason: /complex/ },
  "ships_optical/planetscope_20170719_180901_101d_crop.tif": { epsg: 32610, bands: 3, mean: 85.5648 },
  "ships_optical/planetscope_20171022_175534_100e_crop.tif": { epsg: 32611, bands: 3, mean: 45.6719 },
  "ships_sar/S1_portLA_2021-01-05_VV_dB.tif": { epsg: 32611, bands: 1, mean: -17.3147 },
};

test("every sample TIFF is ingested or refused for a reason that is true", async (t) => {
  const root = sampleData();
  if (root === null) return t.skip("sample data absent");
  const found = globSync("**/*.{tif,tiff,TIF,TIFF}", { cwd: root }).toSorted();
  assert.deepEqual(found, Object.keys(FILES).toSorted());
  await using bench = await ingestionBench();
  for (const [path, expected] of Object.entries(FILES)) {
    await t.test(path, async () => {
      const bytes = new Uint8Array(await readFile(`${root}/${path}`));
      const filename = basename(path)
        .replace(/\.tiff?$/i, "")
        .toLowerCase()
        .replaceAll(/[^a-z0-9_-]/g, "_");
      const filepath = await bench.upload(bytes, filename);
      const ingest = bench.ingestion.ingestAndWait({ provider: "local", filepath }, contextOf(ALICE));
      if ("refused" in expected) {
        await assert.rejects(ingest, (error: unknown) => {
          assert.ok(error instanceof ServiceError, String(error));
          assert.equal(error.code, expected.refused);
          assert.match(error.message, expected.reason);
          return true;
        });
        return;
      }
      const [one] = (await ingest).ingestedScenes;
      const stored = await bench.imagery.stored(one?.sceneId ?? "");
      assert.ok(stored !== null);
      const { scene, raster } = stored;
      assert.deepEqual([scene.crsEpsg, raster.bands.length], [expected.epsg, expected.bands]);
      const mean = raster.bands[0]?.statistics.mean ?? Number.NaN;
      assert.ok(Math.abs(mean - expected.mean) <= 1e-3 * Math.max(1, Math.abs(expected.mean)), `mean ${mean}`);
      assert.ok(scene.areaKm2 > 0 && scene.footprint.coordinates.length > 0);
    });
  }
  return undefined;
});

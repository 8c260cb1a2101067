import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { largeGeotiff, TEMPORARY } from "./large-geotiff.ts";
import { median, printRatio } from "./statistics.ts";

const ROUNDS = 3;

/** Time to write the store's COGs of a granule against `gdal_translate -of COG` with the same codec and threads. */
export async function run(): Promise<void> {
  const input = await largeGeotiff();
  const ours: number[] = [];
  const peer: number[] = [];
  let maxRssMb = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const folder = join(TEMPORARY, "ingest");
    const child = spawnSync(process.execPath, [join(import.meta.dirname, "children", "ingest.ts"), input, folder], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    const answer: { seconds: number; maxRssMb: number } = JSON.parse(child.stdout);
    ours.push(answer.seconds);
    maxRssMb = Math.max(maxRssMb, answer.maxRssMb);
    rmSync(folder, { recursive: true });
    peer.push(gdalTranslate(input));
    process.stdout.write(
      `round ${round + 1}: swath ${ours.at(-1)?.toFixed(1)} s, gdal_translate ${peer.at(-1)?.toFixed(1)} s\n`,
    );
  }
  process.stdout.write(`swath peak memory ${maxRssMb.toFixed(0)} MB\n`);
  printRatio("ingest", median(ours) / median(peer), "gdal_translate -of COG, time, lower is better");
}

function gdalTranslate(input: string): number {
  const output = join(TEMPORARY, "gdal.tif");
  const startedMs = performance.now();
  const { status } = spawnSync(
    "gdal_translate",
    [
      "-q",
      "-of",
      "COG",
      ...options("COMPRESS=ZSTD", "LEVEL=3", "PREDICTOR=YES", "BLOCKSIZE=256", "NUM_THREADS=2"),
      ...options("OVERVIEWS=IGNORE_EXISTING", "OVERVIEW_RESAMPLING=AVERAGE", "BIGTIFF=IF_SAFER"),
      input,
      output,
    ],
    { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, GDAL_NUM_THREADS: "2" } },
  );
  const seconds = (performance.now() - startedMs) / 1000;
  rmSync(output, { force: true });
  if (status !== 0) throw new Error("gdal_translate is not to be had or failed: this bench needs gdal-bin");
  return seconds;
}

function options(...pairs: readonly string[]): readonly string[] {
  return pairs.flatMap((pair) => ["-co", pair]);
}

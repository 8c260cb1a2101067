import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { landCoverFeatures, type SceneLight } from "../packages/maps/src/analysis/land-cover/features.ts";
import { opticalBands } from "../packages/maps/src/analysis/optical/optical-block.ts";
import { reusingPlanes } from "../packages/maps/src/analysis/texture/texture-kernel.ts";
import { PythonPeer, scipyPython } from "./peers/python.ts";
import { median, printRatio, seededRandom } from "./statistics.ts";

/** A block with its margins, four times. */
const SIDE = 2_304;
const ROUNDS = 7;
const GSD_M = 10;
/** Running sums of scipy are not exact: the structure tensor of flat ground differs by more than a step in 0.16 %. */
const MOST_DIFFERING = 0.002;
const FOLDER = join(import.meta.dirname, "tmp");
const ROLES = ["B", "G", "R", "N"] as const;
const LIGHT: SceneLight = { air: { green: 0, red: 0 }, contrast: { blue: 1, red: 1 } };

interface Answer {
  readonly cpuMs: number;
  /** By plane, the share of pixels that differ by more than one ten-thousandth. */
  readonly differing: readonly number[];
}

/**
 * The planes that land cover is classified by, of bands in reflectance, against numpy and scipy.ndimage on one thread
 * each: 16-bit reflectance, indices, gradients, windows, the structure tensor, and the contrast of roofs. Both give the
 * same planes.
 */
export async function run(): Promise<void> {
  const python = scipyPython();
  if (python === null) throw new Error("this bench needs scipy: the Python package index did not answer");
  const bands = drawBands();
  mkdirSync(FOLDER, { recursive: true });
  const files = { bands: join(FOLDER, "bands.raw"), planes: join(FOLDER, "planes.raw") };
  try {
    writeFileSync(files.bands, Buffer.concat(bands.map(bytesOf)));
    writeFileSync(files.planes, Buffer.concat(planesOf(bands).map(bytesOf)));
    using peer = new PythonPeer(python, "land_cover_planes.py");
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const cpu = process.cpuUsage();
      // As blocks are computed, one after the other.
      reusingPlanes(() => void planesOf(bands));
      const { user, system } = process.cpuUsage(cpu);
      ours.push((user + system) / 1000);
      const { cpuMs, differing } = await peer.ask<Answer>({ ...files, side: SIDE });
      const worst = Math.max(...differing);
      if (worst > MOST_DIFFERING)
        throw new Error(`scipy has other planes: ${differing.join(", ")} of the pixels differ`);
      theirs.push(cpuMs);
    }
    const perMegapixel = (runs: readonly number[]): string => ((median(runs) * 1e6) / SIDE ** 2).toFixed(0);
    process.stdout.write(`${perMegapixel(ours)} ms a megapixel, scipy ${perMegapixel(theirs)} ms\n`);
    printRatio(
      "land-cover-planes",
      median(theirs) / median(ours),
      "numpy and scipy.ndimage, processor time of one thread",
    );
  } finally {
    for (const file of Object.values(files)) rmSync(file, { force: true });
  }
}

function planesOf(bands: readonly Float32Array[]): readonly Int16Array[] {
  const block = { rect: { column: 0, row: 0, columns: SIDE, rows: SIDE }, scenes: [bands] };
  const { planes, density } = landCoverFeatures(opticalBands(block, 0, { roles: ROLES, scale: 1 }, 0), LIGHT, GSD_M);
  return [...planes, density];
}

/** Fields, towns of small roofs, and noise, in reflectance. */
function drawBands(): readonly Float32Array<ArrayBuffer>[] {
  const random = seededRandom(7);
  const level = [0.06, 0.08, 0.09, 0.25];
  const bands = level.map(() => new Float32Array(SIDE * SIDE));
  for (let i = 0; i < SIDE * SIDE; i++) {
    const [column, row] = [i % SIDE, Math.floor(i / SIDE)];
    const field = 1 + 0.4 * Math.sin(column / 40) * Math.cos(row / 55);
    const isRoof = Math.sin(column / 300) + Math.sin(row / 260) > 1 && random() < 0.2;
    bands.forEach((band, index) => {
      band[i] = level[index]! * field + (isRoof ? 0.1 : 0) + 0.01 * random();
    });
  }
  return bands;
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Int16Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

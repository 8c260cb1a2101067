/** A simulated scene to try an ingest with: `node scripts/example-scene.ts FILE.tif [SEED]`. */
import { writeFile } from "node:fs/promises";
import { simulateUpload } from "../packages/cli/src/simulated-upload.ts";

const [file, seed = "17"] = process.argv.slice(2);
if (file === undefined || !/\.tiff?$/.test(file) || !/^\d{1,9}$/.test(seed)) {
  process.stderr.write("expected node scripts/example-scene.ts FILE.tif [SEED], a whole number\n");
  process.exit(2);
}
const { tiff, document, widthPx, heightPx, resolutionM } = await simulateUpload(
  Number(seed),
  AbortSignal.timeout(600_000),
);
await writeFile(file, new Uint8Array(await tiff.arrayBuffer()));
// An ingest finds the document by this name.
const described = file.replace(/\.tiff?$/, ".scene.json");
await writeFile(described, `${JSON.stringify(document, null, 2)}\n`);
process.stdout.write(`${file} (${widthPx} x ${heightPx} px of ${resolutionM} m) and ${described}\n`);

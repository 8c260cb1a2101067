import { join } from "node:path";
import { ingestCoast } from "../main-job.ts";
import { coastGeotiff } from "../make-geotiff.ts";
import type { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import { runPython } from "./python-suite.ts";
import type { StandardRun } from "./standard-run.ts";

const NOTEBOOK = join(import.meta.dirname, "..", "..", "examples", "python", "search-to-table.ipynb");
/** Red and near infrared by scene: the fields grow. */
const GROWTH = [
  { red: 900, nir: 1800 },
  { red: 600, nir: 3200 },
] as const;

/** Runs the notebook of the examples on two scenes of one field. */
export async function runNotebook(python: string, demo: RawClient): Promise<StandardRun> {
  for (const [month, { nir, red }] of GROWTH.entries()) {
    const value = (band: number, column: number, row: number): number =>
      [500, 700, red, nir][band]! + ((column * 7 + row * 13) % 31);
    await ingestCoast(demo, coastGeotiff({ value }), `field_2024-0${month + 5}-01`);
  }
  return await runPython(
    python,
    "run_notebook.py",
    [NOTEBOOK],
    { client: "notebook", ran: "pystac-client, odc-stac, release, statistics, pandas: every cell" },
    { SWATH_URL: demo.baseUrl, SWATH_EMAIL: DEMO.email, SWATH_PASSWORD: DEMO.password },
  );
}

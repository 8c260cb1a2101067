import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "./finished.ts";
import type { CoastMap } from "./coast-map.ts";
import { runPython } from "./python-suite.ts";
import type { StacTarget } from "./stac-suites.ts";
import type { StandardRun } from "./standard-run.ts";

/** Pythons that may have the bindings: the package of Debian is for its Python only. */
const PYTHONS = ["/usr/bin/python3", "python3"] as const;
const VERSION = "from qgis.core import Qgis; print(Qgis.QGIS_VERSION.split('-')[0])";

const RAN = {
  xyz: "XYZ tiles of a map, against its picture",
  wmts: "WMTS of a map, against its picture",
  cog: "an exported COG by /vsicurl, against the picture of the map",
  oapif: "OAPIF: all outlines of a collection, against the same features of a file",
} as const;

/** Renders what the service serves with PyQGIS; two levels of 255 are allowed. */
export async function renderWithQgis(
  { collection, rootUrl, token }: StacTarget,
  items: number,
  { mapId, tile }: CoastMap,
  { cogUrl, folder }: { readonly cogUrl: string; readonly folder: string },
): Promise<readonly StandardRun[]> {
  const found = await qgisPython();
  if (found === null) {
    const result = "needs qgis and python3-qgis";
    return Object.values(RAN).map((ran) => ({ client: "QGIS", ran, outcome: "not installed", result }));
  }
  const client = `QGIS ${found.version}`;
  const more = { xyz: [], wmts: [], cog: [cogUrl], oapif: [token, collection, String(items)] };
  const runs: StandardRun[] = [];
  for (const kind of ["xyz", "wmts", "cog", "oapif"] as const) {
    const settings = await mkdtemp(join(folder, "qgis-"));
    const args = [kind, new URL(rootUrl).origin, mapId, ...tile.map(String), settings, ...more[kind]];
    runs.push(await runPython(found.python, "qgis_pictures.py", args, { client, ran: RAN[kind] }));
  }
  return runs;
}

/** A Python with the bindings of QGIS; null where none is installed. */
export async function qgisPython(): Promise<{ readonly python: string; readonly version: string } | null> {
  for (const python of PYTHONS) {
    const { code, log } = await finished(python, ["-c", VERSION], { QT_QPA_PLATFORM: "offscreen" });
    if (code === 0) return { python, version: log.trim().split("\n").at(-1) ?? "" };
  }
  return null;
}

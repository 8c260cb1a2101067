import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServiceProcess, DEMO } from "../e2e/service-process.ts";
import { distributionPostgres } from "./distribution-postgres.ts";
import { square } from "./generated-scenes.ts";
import { scenesOf } from "./searched-scenes.ts";
import { seededRandom } from "./statistics.ts";

const FOLDER = join(import.meta.dirname, "tmp", "stac-import");
const HOST = "https://cogs.example.com";
const BAR = 20_000;
const CLOCK_TICKS_S = 100;

/**
 * `swath stac import` of lines of JSON, from the start of the command to its end: over HTTP, into PostgreSQL of the
 * distribution, every item searchable. Items have four files, as a search of Sentinel-2 has them.
 */
export async function run(): Promise<void> {
  const count = scenesOf(process.argv.slice(3));
  mkdirSync(FOLDER, { recursive: true });
  const [items, warm] = [join(FOLDER, "items.ndjson"), join(FOLDER, "warm.ndjson")];
  await writeItems(items, count, "a");
  await writeItems(warm, 20_000, "w");
  const catalogue = join(FOLDER, "catalogue.json");
  writeFileSync(catalogue, JSON.stringify({ items: { hosts: [HOST] } }));
  using postgres = distributionPostgres();
  const database = postgres === null ? {} : { DATABASE_URL: postgres.url };
  process.stdout.write(`${count} items, ${postgres?.version ?? "embedded PostgreSQL"}\n`);
  await using service = await ServiceProcess.start({ SWATH_CATALOG: catalogue, ...database });
  await importFile(service, warm);
  const before = processorSeconds(service.pid);
  const startedMs = performance.now();
  const answer = await importFile(service, items);
  const seconds = (performance.now() - startedMs) / 1000;
  const after = processorSeconds(service.pid);
  if (answer.created !== count || answer.refused !== 0) throw new Error(`imported ${JSON.stringify(answer)}`);
  const again = await importFile(service, items);
  if (again.unchanged !== count) throw new Error(`imported again: ${JSON.stringify(again)}`);
  const each = (s: number): string => `${((s / count) * 1e6).toFixed(0)} µs`;
  process.stdout.write(
    `${seconds.toFixed(1)} s; of a core each: service ${each(after.service - before.service)}, ` +
      `PostgreSQL ${each(after.database - before.database)}; ` +
      `again ${Math.round(count / again.seconds)} unchanged items a second\n`,
  );
  const rate = count / seconds;
  process.stdout.write(`stac-import ${Math.round(rate)} items a second (bar ${BAR})\n`);
  rmSync(FOLDER, { recursive: true });
  if (rate < BAR) process.exitCode = 1;
}

interface Imported {
  readonly created: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly seconds: number;
}

async function importFile(service: ServiceProcess, path: string): Promise<Imported> {
  const main = join(import.meta.dirname, "..", "packages", "cli", "src", "main.ts");
  const connection = ["--url", service.baseUrl, "--email", DEMO.email, "--password", DEMO.password, "--json"];
  const child = spawn(process.execPath, [main, "stac", "import", path, ...connection], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (piece: Buffer) => (text += piece.toString("utf8")));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`swath stac import ended with ${code}: ${text}`);
  return JSON.parse(text) as Imported;
}

/** Processor time of the service and of all PostgreSQL servers of the machine. */
function processorSeconds(pid: number): { readonly service: number; readonly database: number } {
  let database = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/u.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      if (stat.includes("(postgres)")) database += ticksOf(stat);
    } catch {
      // The process ended meanwhile.
    }
  }
  return { service: ticksOf(readFileSync(`/proc/${pid}/stat`, "utf8")), database };
}

function ticksOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_S;
}

async function writeItems(path: string, count: number, prefix: string): Promise<void> {
  const random = seededRandom(11);
  const file = createWriteStream(path);
  for (let start = 0; start < count; start += 1000) {
    const lines = Array.from({ length: Math.min(1000, count - start) }, (_, i) =>
      JSON.stringify(itemOf(`${prefix}${start + i}`, start + i, random)),
    );
    if (!file.write(`${lines.join("\n")}\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
}

function itemOf(name: string, index: number, random: () => number): object {
  const [lon, lat] = [-175 + random() * 350, -70 + random() * 140];
  const zone = Math.floor((lon + 180) / 6) + 1;
  const ring = square(lon, lat, 110, (random() - 0.5) * 0.3);
  const id = `S2A_${zone}UVR_${name}_0_L2A`;
  const transform = [10, 0, 600_000, 0, -10, 5_000_040];
  const asset = (band: string, common: string): object => ({
    href: `${HOST}/sentinel-2/${id}/${band}.tif`,
    type: "image/tiff; application=geotiff; profile=cloud-optimized",
    roles: ["data"],
    gsd: 10,
    "proj:shape": [10_980, 10_980],
    "proj:transform": transform,
    bands: [{ name: band, "eo:common_name": common, data_type: "uint16" }],
  });
  return {
    type: "Feature",
    stac_version: "1.1.0",
    id,
    bbox: [lon - 1, lat - 1, lon + 1, lat + 1],
    geometry: { type: "Polygon", coordinates: [ring] },
    properties: {
      datetime: new Date(Date.UTC(2020, 0, 1) + index * 97_000).toISOString(),
      platform: "sentinel-2a",
      constellation: "sentinel-2",
      "eo:cloud_cover": Math.round(random() * 10_000) / 100,
      "proj:code": `EPSG:${32_600 + zone}`,
      gsd: 10,
    },
    assets: {
      blue: asset("B02", "blue"),
      green: asset("B03", "green"),
      red: asset("B04", "red"),
      nir: asset("B08", "nir"),
    },
    links: [],
  };
}

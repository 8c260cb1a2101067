import { spawnSync } from "node:child_process";

/** Output of a program of OGR, the independent reader of vector files in tests. */
export function runOgr(program: "ogr2ogr" | "ogrinfo", args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
  return stdout;
}

export interface ReadFeatures {
  readonly features: readonly {
    readonly properties: Readonly<Record<string, unknown>>;
    readonly geometry: unknown;
  }[];
}

export function parsedGeoJson(text: string | Uint8Array): ReadFeatures {
  return JSON.parse(typeof text === "string" ? text : new TextDecoder().decode(text)) as ReadFeatures;
}

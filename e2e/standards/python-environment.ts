import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
/** Packages of the suites, by exact versions. */
export const PACKAGES = {
  "stac-api-validator": "0.6.8",
  "stac-check": "1.14.0",
  "stac-validator": "4.1.0",
  pystac: "1.15.2",
  "pystac-client": "0.9.1",
  "odc-stac": "0.5.3",
  stackstac: "0.5.1",
  rustac: "0.9.18",
  // The notebook of docs/python.md.
  pandas: "2.3.3",
  nbclient: "0.11.0",
  ipykernel: "7.4.0",
} as const;

/** The Python of a virtual environment with the packages of `PACKAGES`; null without Python or its index. */
export function standardsPython(): string | null {
  return pythonEnvironment(
    "standards",
    PACKAGES,
    "import stac_api_validator, pystac_client, odc.stac, rustac, nbclient",
  );
}

/**
 * The Python of a virtual environment with packages, made at first use; null without Python or its index.
 *
 * @param proof statement that a whole environment runs
 */
export function pythonEnvironment(name: string, packages: Readonly<Record<string, string>>, proof: string) {
  const requirements = Object.entries(packages).map(([one, version]) => `${one}==${version}`);
  const digest = createHash("sha256").update(requirements.join(" ")).digest("hex").slice(0, 12);
  const folder = join(ROOT, "node_modules", ".cache", `${name}-${digest}`);
  const python = join(folder, "bin", "python");
  const works = (): boolean => existsSync(python) && spawnSync(python, ["-c", proof], { stdio: "ignore" }).status === 0;
  if (works()) return python;
  spawnSync("python3", ["-m", "venv", "--clear", folder], { stdio: "ignore" });
  const options = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...requirements];
  spawnSync(python, options, { stdio: ["ignore", "ignore", "inherit"] });
  return works() ? python : null;
}

import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Native code first: it is several times faster than WebAssembly. */
const PACKAGES = ["onnxruntime-node", "onnxruntime-web"] as const;

export type RuntimePackage = (typeof PACKAGES)[number];

/** The folder with a separate lock file, which `npm ci` leaves out. */
const EXTRA = fileURLToPath(new URL("../../../../../extras/models/", import.meta.url));

/** The message for an operator who has models and no runtime. */
export const RUNTIME_MISSING = `models need ONNX Runtime, and neither ${PACKAGES.join(" nor ")} is installed: run \`npm run models:install\``;

/** An installed package of ONNX Runtime. */
export interface FoundRuntime {
  readonly name: RuntimePackage;
  /** Of its entry. */
  readonly path: string;
}

/**
 * The package that runs models, or null when there is none.
 *
 * @param folder where packages are looked for, then in the folders above it
 */
export function findRuntime(folder: string = EXTRA): FoundRuntime | null {
  const { resolve } = createRequire(join(folder, "package.json"));
  for (const name of PACKAGES) {
    try {
      return { name, path: resolve(name) };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")) throw error;
    }
  }
  return null;
}

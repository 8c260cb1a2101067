/**
 * Builds packages of this repository as they would be published, and their tarballs, in `out/pack`:
 * `npm run pack -- client raster`. The packages of the repository that they depend on are built with them.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { runCheckTool } from "./extras.ts";

const ROOT = join(import.meta.dirname, "..");
const OWN = "@swath/";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly license: string;
  /** Subpath to TypeScript file; a `*` stands for any path. */
  readonly exports: Readonly<Record<string, string>>;
  /** `exports` of the published package, where they differ. */
  readonly publishConfig?: {
    readonly exports?: Readonly<Record<string, string>>;
    /** Versions of Node that run the built package; sources need the version of the repository. */
    readonly engines?: Readonly<Record<string, string>>;
  };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface PackedPackage {
  readonly name: string;
  /** Folder of the built package. */
  readonly folder: string;
  /** Folder of its sources: `packages/raster`. */
  readonly source: string;
  /** Dependencies from the registry. */
  readonly external: readonly string[];
}

/**
 * Builds packages and those they depend on: JavaScript with declarations, other files of their sources, README and
 * licence.
 *
 * @param names folders of `packages/`
 * @param folder gets one folder for each package, by its name
 */
export function packPackages(names: readonly string[], folder: string): readonly PackedPackage[] {
  const manifests = withDependencies(names);
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(join(folder, ".build-"));
  try {
    compile([...manifests], scratch);
    return [...manifests].map(([name, manifest]) => assemble(name, manifest, join(scratch, name, "src"), folder));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function withDependencies(names: readonly string[]): ReadonlyMap<string, Manifest> {
  const manifests = new Map<string, Manifest>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (manifests.has(name)) continue;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- manifests of this repository
    const manifest = JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8")) as Manifest;
    manifests.set(name, manifest);
    const dependencies = Object.keys(manifest.dependencies ?? {});
    waiting.push(...dependencies.filter((one) => one.startsWith(OWN)).map((one) => one.slice(OWN.length)));
  }
  return manifests;
}

/** One run of the compiler for all packages; types are checked by `npm run types`. */
function compile(manifests: readonly (readonly [string, Manifest])[], scratch: string): void {
  const project = join(scratch, "tsconfig.json");
  const options = {
    extends: join(ROOT, "tsconfig.base.json"),
    compilerOptions: {
      noEmit: false,
      noCheck: true,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: join(ROOT, "packages"),
      outDir: scratch,
      types: ["node"],
      typeRoots: [join(ROOT, "node_modules/@types")],
    },
    files: manifests.flatMap(([name, manifest]) => entriesOf(name, manifest)),
  };
  writeFileSync(project, JSON.stringify(options));
  if (runCheckTool("tsc", ["-p", project]) !== 0) throw new Error("the compiler failed");
  for (const file of globSync("**/*.js", { cwd: scratch })) nameBuiltThreads(join(scratch, file));
}

/** Threads and processes start by the name of a file, which the compiler leaves alone. */
function nameBuiltThreads(path: string): void {
  const source = readFileSync(path, "utf8");
  const built = source.replaceAll(/new URL\("(\.[^"]+)\.ts"/g, (_, stem: string) => {
    if (!existsSync(join(dirname(path), `${stem}.js`)))
      throw new Error(`${path} starts ${stem}.ts, which is not packed`);
    return `new URL("${stem}.js"`;
  });
  if (built !== source) writeFileSync(path, built);
}

function publishedExports({ exports, publishConfig }: Manifest): Readonly<Record<string, string>> {
  return publishConfig?.exports ?? exports;
}

/** Files that the exports name, tests and their fixtures left out. */
function entriesOf(name: string, manifest: Manifest): readonly string[] {
  const folder = join(ROOT, "packages", name);
  return Object.values(publishedExports(manifest))
    .flatMap((target) => globSync(target.replace("*", "**/*"), { cwd: folder }))
    .filter((file) => !/\.(?:test|conformance|fixture)\.ts$|[-/]testing\.ts$|\/(?:testing|assembly)\//.test(file))
    .map((file) => join(folder, file));
}

function assemble(name: string, manifest: Manifest, built: string, folder: string): PackedPackage {
  const target = join(folder, manifest.name);
  const source = join("packages", name);
  rmSync(target, { recursive: true, force: true });
  cpSync(built, join(target, "dist"), { recursive: true });
  for (const asset of globSync("**/*.{wasm,json}", { cwd: join(ROOT, source, "src") })) {
    if (!existsSync(join(built, dirname(asset)))) continue;
    cpSync(join(ROOT, source, "src", asset), join(target, "dist", asset));
  }
  cpSync(join(ROOT, "LICENSE"), join(target, "LICENSE"));
  const readme = join(ROOT, source, "README.md");
  if (existsSync(readme)) cpSync(readme, join(target, "README.md"));
  const { version, description, license, dependencies, optionalDependencies } = manifest;
  const published = {
    name: manifest.name,
    version,
    description,
    license,
    type: "module",
    sideEffects: false,
    engines: manifest.publishConfig?.engines,
    exports: Object.fromEntries(
      Object.entries(publishedExports(manifest)).map(([path, file]) => [path, builtFile(file)]),
    ),
    dependencies,
    optionalDependencies,
  };
  writeFileSync(join(target, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  const all = Object.keys({ ...dependencies, ...optionalDependencies });
  return { name: manifest.name, folder: target, source, external: all.filter((one) => !one.startsWith(OWN)) };
}

/** Makes a tarball of each package, as `npm publish` would send it. */
export function tarballsOf(packages: readonly PackedPackage[], folder: string): readonly string[] {
  const folders = packages.map((one) => one.folder);
  const { status, stdout } = spawnSync("npm", ["pack", "--json", "--pack-destination", folder, ...folders], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`npm pack ended with ${status}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form that npm documents
  const made = JSON.parse(stdout) as readonly { readonly filename: string }[];
  return made.map(({ filename }) => join(folder, filename));
}

/** The built file of a source file, with its declarations. */
function builtFile(file: string): { readonly types: string; readonly default: string } {
  const stem = file.replace(/^\.\/src\//, "./dist/").replace(/\.ts$/, "");
  return { types: `${stem}.d.ts`, default: `${stem}.js` };
}

if (import.meta.main) {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !existsSync(join(ROOT, "packages", name, "package.json")));
  if (names.length === 0 || unknown.length > 0) {
    process.stderr.write(`got ${JSON.stringify(unknown)}, expected folders of packages/\n`);
    process.exit(2);
  }
  const folder = join(ROOT, "out/pack");
  for (const tarball of tarballsOf(packPackages(names, folder), folder)) {
    process.stdout.write(`${relative(process.cwd(), tarball)}\n`);
  }
}

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { installExtra } from "../scripts/extras.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

const ROOT = join(import.meta.dirname, "..");
const DOCUMENT = join(ROOT, "docs/openapi.json");
const VENV = join(ROOT, "out/python-clients");
const PACKAGES = ["openapi-python-client==0.29.1", "requests", "httpx", "attrs", "python-dateutil", "urllib3"];
const JAR = join(ROOT, "out/openapi-generator-cli-7.17.0.jar");
const JAR_URL =
  "https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/7.17.0/openapi-generator-cli-7.17.0.jar";
const JAR_SHA256 = "25d6bd8273dd2be99979d544b62ea43f0ce1975f1aa582678b5093d1e7fcfce8";
const PNG_SIGNATURE = "89504e470d0a1a0a";

/** The Python of a virtual environment with the generator, made on first use; null without Python or its index. */
function generatorPython(): string | null {
  const python = join(VENV, "bin/python");
  const works = (): boolean =>
    spawnSync(python, ["-c", "import openapi_python_client, requests, dateutil"], { stdio: "ignore" }).status === 0;
  if (existsSync(python) && works()) return python;
  spawnSync("python3", ["-m", "venv", "--clear", VENV], { stdio: "ignore" });
  spawnSync(python, ["-m", "pip", "install", "-q", ...PACKAGES], { stdio: "ignore" });
  return works() ? python : null;
}

/** The file of OpenAPI Generator, fetched on first use; null without Java or the Maven repository. */
async function generatorJar(): Promise<string | null> {
  if (spawnSync("java", ["-version"], { stdio: "ignore" }).status !== 0) return null;
  if (existsSync(JAR)) return JAR;
  const answer = await fetch(JAR_URL).catch(() => null);
  if (answer?.ok !== true) return null;
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.equal(createHash("sha256").update(bytes).digest("hex"), JAR_SHA256);
  await mkdir(join(ROOT, "out"), { recursive: true });
  // Renamed when complete: a cut download is no generator.
  await writeFile(`${JAR}.${process.pid}`, bytes);
  await rename(`${JAR}.${process.pid}`, JAR);
  return JAR;
}

async function run(
  folder: string,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...environment } });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  assert.equal(code, 0, `${command} ${args.slice(0, 3).join(" ")}: ${output}${errors}`);
  return output;
}

/** Blocks of a language in the page for Python. */
async function blocksOf(language: string): Promise<readonly string[]> {
  const page = await readFile(join(ROOT, "docs/python.md"), "utf8");
  return Array.from(page.matchAll(/```(\w+)\n([^]*?)```/g))
    .filter(([, one]) => one === language)
    .map(([, , code = ""]) => code);
}

const SEARCH = {
  provider: "ee",
  dataset: "COPERNICUS/S2_SR_HARMONIZED",
  extent: {
    type: "Feature",
    properties: { name: "field" },
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [14.4, 50.1],
          [14.43, 50.1],
          [14.43, 50.12],
          [14.4, 50.1],
        ],
      ],
    },
  },
};

describe("clients in other languages", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "swath-clients-"));
  });
  after(async () => rm(folder, { recursive: true, force: true }));

  test("the programs of the page for Python search, make a map and save a picture", async (t) => {
    const python = generatorPython();
    if (python === null) return t.skip("Python or its package index is missing");
    await using service = await ServiceProcess.start();
    const environment = { SWATH_URL: service.baseUrl, SWATH_EMAIL: DEMO.email, SWATH_PASSWORD: DEMO.password };
    const [plain = "", generated = ""] = await blocksOf("py");
    assert.ok(plain.split("\n").filter((line) => line !== "").length <= 24, "the page promises a short program");
    await run(folder, python, ["-c", plain], environment);
    assert.equal((await readFile(join(folder, "ndvi.png"))).subarray(0, 8).toString("hex"), PNG_SIGNATURE);

    const [settings = ""] = await blocksOf("yaml");
    await writeFile(join(folder, "settings.yaml"), settings);
    const target = ["--meta", "none", "--output-path", "swath_client"];
    const generator = ["-m", "openapi_python_client", "generate", "--path", DOCUMENT, "--config", "settings.yaml"];
    const printed = await run(folder, python, [...generator, ...target]);
    assert.doesNotMatch(printed, /warning/i, "an operation or an answer is left out");
    const { paths } = JSON.parse(await readFile(DOCUMENT, "utf8")) as { readonly paths: Record<string, object> };
    const operations = Object.values(paths).flatMap((methods) => Object.keys(methods));
    const made = globSync("swath_client/api/*/*.py", { cwd: folder }).filter((one) => !one.endsWith("__init__.py"));
    assert.equal(made.length, operations.length);
    const modules = made.map((one) => one.replace(/\.py$/, "").replaceAll(/[\\/]/g, "."));
    await run(folder, python, ["-c", modules.map((one) => `import ${one}`).join("\n")]);
    assert.match(await run(folder, python, ["-c", generated], environment), /^\d+ ee\.COPERNICUS\S+ \[?1\d\.\d+/);
    return undefined;
  });

  test("OpenAPI Generator keeps every coordinate of an extent, in Python and in TypeScript", async (t) => {
    const [jar, python] = [await generatorJar(), generatorPython()];
    if (jar === null || python === null) return t.skip("Java, Python or their repositories are missing");
    const request = JSON.stringify(SEARCH);
    for (const language of ["python", "typescript-fetch"]) {
      await run(folder, "java", ["-jar", jar, "generate", "-i", DOCUMENT, "-g", language, "-o", language]);
    }
    const program =
      "import json, sys; sys.path.insert(0, 'python')\n" +
      "from openapi_client.models.imagery_search_request import ImagerySearchRequest as R\n" +
      "print(json.dumps(R.from_dict(json.loads(sys.argv[1])).to_dict()))";
    assert.deepEqual(JSON.parse(await run(folder, python, ["-c", program, request])).extent, SEARCH.extent);

    const esbuild = createRequire(join(installExtra("bundle"), "package.json"))("esbuild") as {
      build(options: object): Promise<unknown>;
    };
    const contents =
      'import { ImagerySearchRequestFromJSON as read, ImagerySearchRequestToJSON as write } from "./models";\n' +
      "console.log(JSON.stringify(write(read(JSON.parse(process.argv[2])))));";
    await esbuild.build({
      stdin: { contents, resolveDir: join(folder, "typescript-fetch"), loader: "ts" },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: join(folder, "round-trip.mjs"),
      logLevel: "silent",
    });
    const written = JSON.parse(await run(folder, process.execPath, ["round-trip.mjs", request]));
    assert.deepEqual(written.extent, SEARCH.extent);
    return undefined;
  });
});

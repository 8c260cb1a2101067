import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { freePort } from "../../packages/base/src/processes/free-port.ts";
import { isShown } from "./match-output.ts";
import { readBlocks, type Block } from "./read-page.ts";
import { ShellSession, type Printed } from "./shell-session.ts";

/** The outcome of a block: null when it passed. */
export interface BlockOutcome {
  readonly line: number;
  readonly seconds: number;
  /** Why the block failed, with its output. */
  readonly fault: string | null;
  /** The program that this machine lacks. */
  readonly leftOut: string | null;
}

/** Programs that a page asks for and that not every machine has. */
const TOOLS: readonly (readonly [commands: RegExp, program: string])[] = [
  [/\b(?:python3?|pip)\b/, "python3"],
  [/^\s*gdal|\bogrinfo\b/m, "gdalinfo"],
  [/\bdocker\b/, "docker"],
];

/** The whole suite is another command of every merge; here it would run this one again. */
const SHORT_TEST = "npm test -- layers.test.ts";

/** Runs the blocks of a page in their order, in a folder with an installed copy. Stops at the first fault. */
export async function* runPage(page: string, folder: string): AsyncGenerator<BlockOutcome> {
  const port = await freePort();
  await using session = new ShellSession(folder, environmentFor(folder), port);
  for (const block of readBlocks(readFileSync(join(folder, page), "utf8"))) {
    const text = block.text.replaceAll("127.0.0.1:8080", `127.0.0.1:${port}`).replaceAll(/\bnpm test$/gm, SHORT_TEST);
    const leftOut = missingTool(block, text);
    const startedMs = performance.now();
    const fault = leftOut === null ? await faultOf(session, folder, block, text) : null;
    yield { line: block.line, seconds: (performance.now() - startedMs) / 1000, fault, leftOut };
    if (fault !== null) return;
  }
}

/** The variables of a reader, without settings of the service; its terminal knows no test runner. */
function environmentFor(folder: string): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) =>
      !name.startsWith("SWATH_") && !name.startsWith("npm_") && name !== "DATABASE_URL" && name !== "NODE_TEST_CONTEXT",
  );
  return {
    ...Object.fromEntries(entries),
    SWATH_CONFIG_HOME: join(folder, ".swath-config"),
  };
}

function missingTool({ language, saveAs }: Block, text: string): string | null {
  if (saveAs !== null) return null;
  const wanted =
    language === "py" ? ["python3"] : TOOLS.filter(([commands]) => commands.test(text)).map(([, one]) => one);
  return wanted.find((program) => spawnSync(program, ["--version"], { stdio: "ignore" }).error !== undefined) ?? null;
}

async function faultOf(session: ShellSession, folder: string, block: Block, text: string): Promise<string | null> {
  if (block.saveAs !== null) {
    const path = join(folder, block.saveAs);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}\n`);
    return null;
  }
  const printed = await runBlock(session, block, text);
  if (!printed.ok) return `failed\n${text}\n${printed.stdout}\n${printed.stderr}`;
  if (block.shown === null || isShown(block.shown, printed.stdout)) return null;
  return `printed something else\n${text}\n--- the page shows\n${block.shown}\n--- the block printed\n${printed.stdout}`;
}

function runBlock(session: ShellSession, { language, line }: Block, text: string): Promise<Printed> {
  if (language === "sh") {
    return isService(text) ? session.serve(text) : session.run(text);
  }
  const extension = language === "ts" ? "ts" : "py";
  const file = `.tutorial-${line}.${extension}`;
  const program = language === "ts" ? "npx node" : "python3";
  return session.run(`cat > ${file} <<'END-OF-PROGRAM'\n${text}\nEND-OF-PROGRAM\n${program} ${file}`);
}

/** Whether the only command of a block runs until it is interrupted. */
function isService(text: string): boolean {
  const commands = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return /(?:^|\s)(?:npm start|npx swath serve)\b/.test(commands.at(-1) ?? "");
}

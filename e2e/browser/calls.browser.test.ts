import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import { choose } from "./choose.ts";
import { openConsole, signIn } from "./open-console.ts";

const run = promisify(execFile);

/** The list of map types prints as 1.5 MB. */
const MAX_ANSWER_BYTES = 2 ** 25;

/** How a snippet of each language is run. */
const PROGRAMS: Readonly<Record<string, (code: string) => readonly [file: string, args: readonly string[]]>> = {
  curl: (code) => ["sh", ["-c", `${code} --fail-with-body`]],
  TypeScript: (code) => [process.execPath, ["--input-type=module-typescript", "-e", code]],
  Python: (code) => ["python3", ["-c", code]],
};

test("each call of the page runs as curl, TypeScript and Python, with the token of the reader", async () => {
  await using console = await openConsole();
  const { service, page } = console;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  await ingestCoast(demo);
  await signIn(console);
  await choose(page);
  await page.locator("dialog button.primary").click();
  await page.getByRole("button", { name: "Hide ndvi" }).waitFor();
  await page.getByRole("link", { name: "API calls" }).click();
  const list = page.locator("ul.call-list");
  await list.waitFor();
  const calls = list.locator("code");
  const paths: string[] = [];
  for (let position = 0; position < (await calls.count()); position += 1) {
    paths.push(await calls.nth(position).innerText());
  }
  for (const part of [
    "/imagery/search/initiate",
    "/mapsvc/dry-run/initiate",
    "/mapsvc/release/initiate",
    "/user/info",
  ]) {
    assert.ok(paths.includes(`POST ${part}`), `${part} is not in ${paths.join(" ")}`);
  }
  const cwd = service.folder;
  const env = { ...process.env, SWATH_TOKEN: demo.token ?? "" };
  for (const path of paths) {
    // The list moves while the page polls its tasks: a call is chosen by its text.
    await list
      .getByRole("button", { name: new RegExp(`^${escaped(path)}`) })
      .first()
      .click();
    for (const [language, program] of Object.entries(PROGRAMS)) {
      await page.getByRole("button", { name: new RegExp(`^${language}$`) }).click();
      const code = await page.locator("pre.code").innerText();
      assert.ok(code.includes("SWATH_TOKEN"), code);
      const [file, args] = program(code);
      const done = run(file, args, { cwd, env, maxBuffer: MAX_ANSWER_BYTES });
      if (path.endsWith("/release/initiate")) {
        // The area is held by now: the price that was shown is refused, and nothing is charged again.
        await assert.rejects(done, /PRICE-CHANGED|error: 409|HTTP Error 409/, `${language} ${path}`);
        continue;
      }
      const { stdout } = await done;
      const answer = join(cwd, "answer");
      const answerBytes = existsSync(answer) ? statSync(answer).size : stdout.length;
      assert.ok(answerBytes > 0, `${language} ${path}`);
      rmSync(answer, { force: true });
    }
  }
});

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

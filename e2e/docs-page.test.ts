import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { installExtra } from "../scripts/extras.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";
import { until } from "./until.ts";

/** The part of a document object model that is used. */
interface Element {
  readonly id: string;
  readonly textContent: string;
  readonly classList: { contains(name: string): boolean };
  value: string;
  open: boolean;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  dispatchEvent(event: object): boolean;
  click(): void;
}
interface Page {
  readonly window: {
    readonly document: Element & { getElementById(id: string): Element | null };
    readonly Event: new (type: string, options?: object) => object;
    close(): void;
  };
}

function element(window: Page["window"], id: string): Element {
  const found = window.document.getElementById(id);
  assert.ok(found !== null, id);
  return found;
}

function getAs(url: string, accept?: string): Promise<Response> {
  return fetch(url, { headers: accept === undefined ? {} : { accept } });
}

async function signIn(window: Page["window"], password: string): Promise<string> {
  element(window, "email").value = DEMO.email;
  element(window, "password").value = password;
  element(window, "sign-in").dispatchEvent(new window.Event("submit", { bubbles: true, cancelable: true }));
  await until("the page changes", () => !["", "…"].includes(element(window, "signed").textContent));
  return element(window, "signed").textContent;
}

describe("pages for people", () => {
  let service: ServiceProcess;
  before(async () => {
    service = await ServiceProcess.start();
  });
  after(async () => service[Symbol.asyncDispose]());

  /** The page as a browser loads it; its requests go to the service. */
  async function openDocs(hash = ""): Promise<Page["window"]> {
    const { JSDOM } = createRequire(join(installExtra("browser"), "package.json"))("jsdom") as {
      readonly JSDOM: new (html: string, options: object) => Page;
    };
    const html = await (await fetch(`${service.baseUrl}/docs`)).text();
    const { window } = new JSDOM(html, {
      url: `${service.baseUrl}/docs${hash}`,
      runScripts: "dangerously",
      beforeParse: (made: Record<string, unknown>) => {
        made["fetch"] = (path: string, init: RequestInit) => fetch(new URL(path, service.baseUrl), init);
      },
    });
    return window;
  }

  test("who signs in on the page sends requests with the token", async () => {
    const window = await openDocs();
    assert.match(await signIn(window, "wrong"), /^401 /);
    assert.equal(element(window, "token").value, "");
    assert.match(await signIn(window, DEMO.password), /^Signed in/);
    assert.match(element(window, "token").value, /^eyJ/);
    assert.equal(element(window, "password").value, "");
    const info = element(window, "users.info");
    info.querySelector("button")?.click();
    const answer = info.querySelector(".answer");
    await until("the page changes", () => !["", "…"].includes(answer?.textContent ?? ""));
    assert.match(answer?.textContent ?? "", /^200 OK/);
    assert.ok(answer?.textContent.includes(DEMO.email));
    window.close();
  });

  test("every link of the page leads somewhere, and one to an operation opens it", async () => {
    const window = await openDocs("#maps.release.initiate");
    assert.equal(element(window, "maps.release.initiate").open, true);
    assert.equal(element(window, "imagery.search.initiate").open, false);
    const targets = [...window.document.querySelectorAll("a")].map((one) => one.getAttribute("href") ?? "");
    const inside = targets.filter((target) => target.startsWith("#"));
    assert.ok(inside.length > 200);
    for (const target of new Set(inside)) element(window, target.slice(1));
    for (const target of targets.filter((one) => !one.startsWith("#"))) {
      assert.equal((await fetch(service.baseUrl + target)).status, 200, target);
    }
    const order = [...element(window, "order").querySelectorAll("a")].map((one) => one.textContent);
    assert.deepEqual([order[0], order.at(-1)], ["/oauth/ro", "/mapsvc/export/initiate"]);
    window.close();
  });

  test("fields stand in a table with their type, whether they are required, and their meaning", async () => {
    const window = await openDocs();
    const rows = [...element(window, "imagery.search.initiate").querySelectorAll("tr")].map((one) => one.textContent);
    const rowOf = (name: string): string => rows.find((row) => row.startsWith(name)) ?? "";
    assert.match(rowOf("extent"), /required.*Extent/);
    assert.match(rowOf("minIntersection"), /number.*at least 0.*at most 1/);
    assert.match(rowOf("datasets[].provider"), /required/);
    const trial = element(window, "imagery.search.initiate").querySelector("textarea")?.value ?? "";
    assert.equal(JSON.parse(trial).extent.type, "Polygon");
    window.close();
  });

  test("the search leaves the operations that have every word", async () => {
    const window = await openDocs();
    element(window, "find").value = "release initiate";
    element(window, "find").dispatchEvent(new window.Event("input"));
    assert.equal(element(window, "maps.release.initiate").classList.contains("hide"), false);
    assert.equal(element(window, "users.info").classList.contains("hide"), true);
    assert.equal(element(window, "part-users").classList.contains("hide"), true);
    window.close();
  });

  test("a browser may run the script of the page and nothing else", async () => {
    const answer = await fetch(`${service.baseUrl}/docs`);
    const html = await answer.text();
    const [, script = ""] = /<script>([^]*?)<\/script>/.exec(html) ?? [];
    const hash = createHash("sha256").update(script).digest("base64");
    assert.ok(answer.headers.get("content-security-policy")?.includes(`script-src 'sha256-${hash}';`));
    assert.match(html, /<meta name="viewport" content="width=device-width,initial-scale=1">/);
    assert.match(html, /@media \(max-width:40rem\)/);
  });

  test("the root address leads a browser to the console and answers a program with JSON", async () => {
    const page = await getAs(service.baseUrl, "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    const first = await fetch(service.baseUrl, { headers: { accept: "text/html" }, redirect: "manual" });
    assert.equal(first.headers.get("vary")?.toLowerCase().includes("accept"), true);
    assert.equal(new URL(page.url).pathname, "/console");
    const targets = [...(await page.text()).matchAll(/(?:href|src)="([^"#]*)/g)].map(([, target = ""]) => target);
    assert.ok(targets.length >= 3, targets.join());
    for (const target of targets) assert.equal((await fetch(service.baseUrl + target)).status, 200, target);
    for (const accept of [undefined, "*/*", "application/json"]) {
      const pointers = (await (await getAs(service.baseUrl, accept)).json()) as {
        readonly name: string;
        readonly openapi: string;
      };
      assert.equal(pointers.name, "Swath");
      const document = await (await fetch(service.baseUrl + pointers.openapi)).json();
      assert.equal(Object(document).openapi, "3.1.0");
    }
  });
});

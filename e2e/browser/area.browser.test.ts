import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { coastGeotiff } from "../make-geotiff.ts";
import { BILLION_LAUGHS, bomb, GEOJSON, GPX, KML, SQUARE, WKT, zippedShapefile } from "./area-files.ts";
import { openConsole, signIn, type OpenConsole } from "./open-console.ts";

const INPUT = "form.conditions input[type=file]";
const CORNERS = "15, 0.8, 15.1, 0.9";

async function write({ service }: OpenConsole, name: string, content: string | Uint8Array): Promise<string> {
  const path = join(service.folder, name);
  await writeFile(path, content);
  return path;
}

test("an area comes from GeoJSON, KML, GPX, a zipped shapefile, WKT and pasted texts", async () => {
  await using console = await openConsole();
  const { page, faults } = console;
  await signIn(console);
  const area = page.getByRole("textbox", { name: "Area" });
  const clear = page.getByRole("button", { name: "Remove the area" });
  for (const [name, content] of [
    ["fields.geojson", GEOJSON],
    ["fields.kml", KML],
    ["fields.wkt", WKT],
    ["fields.zip", zippedShapefile("wgs84")],
  ] as const) {
    await page.locator(INPUT).setInputFiles(await write(console, name, content));
    await clear.waitFor();
    assert.equal(await area.inputValue(), CORNERS, name);
    await clear.click();
    await clear.waitFor({ state: "detached" });
  }
  await page.locator(INPUT).setInputFiles(await write(console, "tour.gpx", GPX));
  await page.getByText("There is no polygon in it: the box around its lines and points is taken.").waitFor();
  await clear.click();
  await clear.waitFor({ state: "detached" });
  for (const pasted of [WKT, GEOJSON, KML]) {
    await area.fill(pasted);
    await area.press("Enter");
    await clear.waitFor();
    assert.equal(await area.inputValue(), CORNERS, pasted);
    await clear.click();
    await clear.waitFor({ state: "detached" });
  }
  assert.deepEqual(faults, []);
});

test("a hostile or misplaced file says why it is no area, and the page goes on", async () => {
  await using console = await openConsole();
  const { page, faults } = console;
  await signIn(console);
  const metres = SQUARE.map(([lon, lat]) => [500_000 + lon, 4_600_000 + lat]);
  for (const [name, content, expected] of [
    ["laughs.kml", BILLION_LAUGHS, "DOCTYPE"],
    ["bomb.shz", bomb(50_000_000), "expected at most 10.0\u00a0MB"],
    ["utm.zip", zippedShapefile("utm"), "The file is in the CRS WGS_1984_UTM_Zone_33N."],
    ["metres.geojson", JSON.stringify({ type: "Polygon", coordinates: [metres] }), "are no degrees"],
    ["nan.wkt", "POLYGON((0 0, NaN 1, 1 1, 0 0))", "nan.wkt cannot be read"],
    ["large.geojson", " ".repeat(10_000_001), "expected at most 10.0\u00a0MB"],
    ["deep.geojson", "[".repeat(1_000_000), "deep.geojson cannot be read"],
    ["cut.zip", zippedShapefile("wgs84").subarray(0, 200), "cut.zip cannot be read"],
    ["torn.kml", "<kml><Placemark>", "torn.kml cannot be read"],
    ["empty.geojson", "{}", "There is no area in it"],
  ] as const) {
    await page.locator(INPUT).setInputFiles(await write(console, name, content));
    const alert = page.getByRole("alert");
    await alert.getByText(expected).waitFor();
    await alert.getByRole("button", { name: "Close" }).click();
    await alert.waitFor({ state: "detached" });
  }
  assert.equal(await page.getByRole("textbox", { name: "Area" }).inputValue(), "");
  // The browser describes torn XML in a document with inline styles, which the policy of the page refuses.
  assert.deepEqual(
    faults.filter((fault) => !fault.startsWith("Applying inline style")),
    [],
  );
});

test("files that are dropped on the page become the area and scenes, by their content", async () => {
  await using console = await openConsole();
  const { page, faults } = console;
  await signIn(console);
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(${bytesOf(zippedShapefile("wgs84"))})], "fields.zip"));
    data.items.add(new File([new Uint8Array(${bytesOf(coastGeotiff({ widthPx: 64, heightPx: 64 }))})], "coast.tif"));
    document.body.dispatchEvent(new DragEvent("dragover", { bubbles: true, cancelable: true, dataTransfer: data }));
    document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
  })()`);
  await page.locator('li.upload:has(strong:text-is("coast.tif"))').getByText("when it was taken").waitFor();
  await page.getByRole("link", { name: "Find" }).click();
  assert.equal(await page.getByRole("textbox", { name: "Area" }).inputValue(), CORNERS);
  assert.deepEqual(
    faults.filter((fault) => !fault.includes("424")),
    [],
  );
});

/** Bytes as the text of an array, for a script of the page. */
function bytesOf(content: Uint8Array): string {
  return JSON.stringify([...content]);
}

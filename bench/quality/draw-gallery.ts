import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SPECTRAL_INDICES } from "@swath/kernel/bands/spectral-index";
import type { MultiPolygon, Position } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { MapTypeDescriptor } from "../../packages/maps/src/map-type.ts";
import type { GridRequest } from "../../packages/maps/src/render/grid-renderer.ts";
import { PICTURES, type Picture, type Subject } from "./gallery.ts";
import { framed, legendOf, OUTLINE_LEGEND, panelWidthPx, type Bounds, type Panel } from "./gallery-frame.ts";
import { openQualityBench, type MapResult, type QualityBench } from "./quality-bench.ts";
import { squareOf } from "./simulated-scenes.ts";

const DOCS = join(import.meta.dirname, "..", "..", "docs");
/** Outlines beyond these hide the picture. */
const MOST_OUTLINES = 300;

/** Draws docs/images/gallery and writes docs/gallery.md. @throws {Error} when a map type has no picture */
export async function drawGallery(): Promise<void> {
  const folder = join(DOCS, "images", "gallery");
  mkdirSync(folder, { recursive: true });
  await using bench = await openQualityBench();
  const without = bench.mapTypes.all
    .map(({ id }) => id)
    .filter((id) => !(id in SPECTRAL_INDICES) && !PICTURES.some(({ mapType }) => mapType === id));
  if (without.length > 0) throw new Error(`the gallery has no picture of ${without.join(", ")}`);
  const sections = { real: [] as string[], simulated: [] as string[] };
  for (const one of PICTURES) {
    const subject = await one.subject(bench);
    const image = typeof subject === "string" ? subject : await picture(bench, one, subject);
    if (typeof image === "string" || typeof subject === "string") {
      process.stderr.write(`${one.mapType}: ${String(image)}\n`);
      continue;
    }
    writeFileSync(join(folder, `${one.mapType}.webp`), image);
    process.stderr.write(`${one.mapType}: ${image.length} bytes\n`);
    sections[one.isReal ? "real" : "simulated"].push(section(one, subject));
  }
  writeFileSync(join(DOCS, "gallery.md"), page(sections));
}

/** A picture as WebP, or the reason why there is none. */
async function picture(bench: QualityBench, one: Picture, subject: Subject): Promise<Buffer | string> {
  const mapType = bench.mapTypes.find(one.mapType);
  const [first, latest] = [subject.scenes[0], subject.scenes.at(-1)];
  if (mapType === undefined || first === undefined || latest === undefined)
    return `there is no map type ${one.mapType}`;
  let result: MapResult | null = null;
  if (mapType.analysis !== undefined) {
    const outcome = await bench.run(one.mapType, subject.scenes, subject.extent);
    if (outcome.kind === "refused") return outcome.reason;
    ({ result } = outcome);
  }
  const objects = mapType.gridFiles.geojson?.includes("detections.geojson") === true ? (result?.objects ?? []) : [];
  const extent = one.closeUpM === undefined ? subject.extent : busiestSquare(objects, one.closeUpM, subject.extent);
  const bounds: Bounds = mbr(extent);
  const sideBySide = one.beside === "map" ? 1 : 2;
  const draw = async (drawnType: MapTypeDescriptor, fileName: string, scene: StoredScene) =>
    drawn(bench, drawnType, fileName, { scene, result: drawnType === mapType ? result : null, bounds }, sideBySide);
  const map = await draw(mapType, one.fileName, latest);
  if (typeof map === "string") return map;
  const outlines = objects.length > 0 && objects.length <= MOST_OUTLINES ? objects.map(({ ring }) => ring) : [];
  const title = `${one.mapType}: ${one.fileName}`;
  const panels: Panel[] = [];
  if (one.beside === "map") panels.push({ layers: [map], outlines: [], title });
  else {
    const imagery = bench.mapTypes.find("imagery")!;
    const before = await draw(imagery, "truecolor.png", one.beside === "dates" ? first : latest);
    const after = await draw(imagery, "truecolor.png", latest);
    if (typeof before === "string" || typeof after === "string") return `truecolor.png: ${String(before)}`;
    panels.push({ layers: [before], outlines: [], title: one.beside === "dates" ? "before" : "scene" });
    panels.push({ layers: outlines.length > 0 ? [after] : [after, map], outlines, title });
  }
  const legend =
    one.beside !== "map" && outlines.length > 0 ? OUTLINE_LEGEND : legendOf(mapType.rendering, one.fileName);
  return await framed({ panels, bounds, legend, caption: [subject.place, subject.date] });
}

async function drawn(
  bench: QualityBench,
  mapType: MapTypeDescriptor,
  fileName: string,
  {
    scene,
    result,
    bounds,
  }: { readonly scene: StoredScene; readonly result: MapResult | null; readonly bounds: Bounds },
  sideBySide: number,
): Promise<Uint8Array | string> {
  const of: Pick<GridRequest, "raster" | "result"> = result === null ? { raster: scene.raster } : result.drawn;
  const file = await bench.render({
    mapType: mapType.id,
    version: mapType.version,
    rendering: mapType.rendering,
    mapId: "gallery",
    scene: scene.scene,
    ...of,
    window: { kind: "bounds", bounds, maxSizePx: panelWidthPx(sideBySide) },
    clip: null,
    fileName,
    percentileStretch: mapType.id === "imagery",
    userThreshold: null,
    forceDownload: true,
  });
  return file.kind === "file" ? file.body : `${fileName} is ${file.kind}`;
}

/** The square about an object, as far as it can be within the whole, that holds the most of them; the whole without any. */
function busiestSquare(
  objects: readonly { readonly centre: Position | readonly [number, number] }[],
  sideM: number,
  whole: MultiPolygon,
): MultiPolygon {
  let [most, best] = [0, whole];
  for (const { centre } of objects) {
    const square = squareOf({ ...middleWithin(whole, centre, sideM), sideM });
    const [west, south, east, north] = mbr(square);
    const held = objects.filter(
      ({ centre: [lon, lat] }) => lon >= west && lon <= east && lat >= south && lat <= north,
    ).length;
    if (held > most) [most, best] = [held, square];
  }
  return best;
}

/** The place nearest to another one whose square lies within the box of the whole. */
function middleWithin(whole: MultiPolygon, [lonDeg, latDeg]: Position | readonly [number, number], sideM: number) {
  const [west, south, east, north] = mbr(whole);
  const [left, bottom, right, top] = mbr(squareOf({ lonDeg, latDeg, sideM }));
  return {
    lonDeg: within(lonDeg, west + (right - left) / 2, east - (right - left) / 2),
    latDeg: within(latDeg, south + (top - bottom) / 2, north - (top - bottom) / 2),
  };
}

/** The nearest value from the least to the most; the middle where there is none. */
function within(value: number, least: number, most: number): number {
  return least > most ? (least + most) / 2 : Math.min(most, Math.max(least, value));
}

function section({ mapType, fileName, beside }: Picture, { source, place, date }: Subject): string {
  const name = mapType in SPECTRAL_INDICES ? "index" : mapType;
  const shown = {
    map: `\`${fileName}\``,
    scene: `\`truecolor.png\`, and \`${fileName}\` over it`,
    dates: `\`truecolor.png\` of the first date, and \`${fileName}\` over the last`,
  }[beside];
  return [
    `### ${mapType}`,
    "",
    `![${mapType}](images/gallery/${mapType}.webp)`,
    "",
    `[${mapType}](map-types/${name}.md): ${shown}. ${place}, ${date}. Imagery: ${source}.`,
    "",
  ].join("\n");
}

function page({
  real,
  simulated,
}: {
  readonly real: readonly string[];
  readonly simulated: readonly string[];
}): string {
  return [
    "# Gallery",
    "",
    "One picture of each map type, drawn by the renderer of the service, with legend, place, date and scale.",
    "`npm run quality -- --gallery` draws them; pictures of real scenes need the sample data. Outlines mark found objects.",
    "",
    "`images/fields.webp` of the README is `truecolor.png`, `ndvi.png` and `segments.png` of the demo on the Sentinel-2",
    "sample scene of fields, side by side: `npm run demo -- SCENE --types imagery,ndvi,segments`.",
    "",
    "## Real scenes",
    "",
    ...real,
    "## Simulated scenes",
    "",
    "These pictures do not show the Earth.",
    "",
    ...simulated,
  ].join("\n");
}

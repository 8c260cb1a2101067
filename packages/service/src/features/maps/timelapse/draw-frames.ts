import { ServiceError } from "@swath/kernel/errors/service-error";
import { formatInstant } from "@swath/kernel/time/instant";
import type { GridRenderer } from "@swath/maps/render/grid-renderer";
import type { AnimationSize } from "@swath/raster/encode/animation/animation-format";
import { composeFrame, type FrameEncoding, type FrameLayer } from "@swath/raster/encode/animation/compose-frame";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import {
  DEFAULT_TIMELAPSE_SIDE_PX,
  type LeftOutScene,
  type TimelapseFrame,
  type TimelapseRequest,
} from "@swath/contract/features/maps/timelapse-contract";
import type { Catalog } from "../../../providers/catalog.ts";
import { exportedFile } from "../export/planned-export.ts";
import type { WebGrid } from "../export/export-plan.ts";
import { drawingOf } from "../grid-files/drawing.ts";
import type { LoadedMap } from "../grid-files/load-map.ts";
import { rasterOf } from "../native-pixels.ts";
import { gapLabel, imageLabel } from "./frame-labels.ts";
import { drawStrip, layoutFrames, type FrameLayout } from "./frame-layout.ts";
import type { SpooledAnimation } from "./open-animation.ts";
import { passesOf, type Pass } from "./passes.ts";
import { shareStatistics } from "./shared-statistics.ts";
import type { TimelapseMaps } from "./timelapse-maps.ts";
import { timelapseGrid } from "./timelapse-grid.ts";

export interface DrawFramesDeps {
  readonly catalog: Pick<Catalog, "findDataset">;
  readonly renderer: Pick<GridRenderer, "render">;
}

export interface DrawnFrames {
  readonly size: AnimationSize;
  readonly frames: readonly TimelapseFrame[];
  readonly leftOut: readonly LeftOutScene[];
  readonly attributions: readonly string[];
}

/** Colour of pixels without data, and below the text. */
const BACKGROUND = "#1c2128";
const DEFAULT_GAP_DAYS = 30;
const DAY_MS = 86_400_000;

interface Drawing {
  readonly renderer: Pick<GridRenderer, "render">;
  readonly grid: WebGrid;
  readonly layout: FrameLayout;
  readonly fileName: string;
  readonly encoding: FrameEncoding;
  /** Rasters with the statistics of all. */
  readonly rasters: ReadonlyMap<LoadedMap, StoredRaster>;
}

/** Draws one frame after another: only one is in memory. @throws {ServiceError} ZERO-TILES-AVAILABLE without an image */
export async function drawFrames(
  deps: DrawFramesDeps,
  request: TimelapseRequest,
  { maps, leftOut: before }: TimelapseMaps,
  animation: SpooledAnimation,
  signal: AbortSignal,
): Promise<DrawnFrames> {
  const [first] = maps;
  if (first === undefined) throw noImage(before);
  const attributions = attributionsOf(deps, maps);
  const drawing = prepareDrawing(deps, request, maps, { first, attributions, format: animation.format });
  const { size } = drawing.layout;
  const gapMs = (request.gapDays ?? DEFAULT_GAP_DAYS) * DAY_MS;
  const frames: TimelapseFrame[] = [];
  const leftOut: LeftOutScene[] = [...before];
  let last: Pass<LoadedMap> | null = null;
  for (const pass of passesOf(maps, ({ stored }) => stored.scene.datetime)) {
    const layers = await layersOf(drawing, pass, leftOut, signal);
    if (layers.length === 0) continue;
    if (last !== null && pass.startEpochMs - last.endEpochMs > gapMs) {
      const label = gapLabel(last.endEpochMs, pass.startEpochMs);
      await animation.append(await encode(drawing, [drawStrip(drawing.layout, label)]), size);
      frames.push(frameOf("gap", last.endEpochMs, pass.startEpochMs, label, []));
    }
    const label = imageLabel(pass.startEpochMs);
    await animation.append(await encode(drawing, [...layers, drawStrip(drawing.layout, label)]), size);
    const shown = pass.items.filter(({ map }) => !leftOut.some(({ sceneId }) => sceneId === map.sceneId));
    const sceneIds = shown.flatMap(({ map }) => map.sceneIds ?? [map.sceneId]);
    frames.push(frameOf("image", pass.startEpochMs, pass.endEpochMs, label, sceneIds));
    last = pass;
  }
  if (frames.length === 0) throw noImage(leftOut);
  return { size, frames, leftOut, attributions };
}

function noImage([first]: readonly LeftOutScene[]): ServiceError {
  const reason = first === undefined ? "" : `: ${first.sceneId} has none, ${first.message}`;
  return new ServiceError("ZERO-TILES-AVAILABLE", `no scene gives an image of the area${reason}`);
}

function frameOf(
  kind: TimelapseFrame["kind"],
  startEpochMs: number,
  endEpochMs: number,
  label: string,
  sceneIds: readonly string[],
): TimelapseFrame {
  const [datetime, endDatetime] = [formatInstant(startEpochMs), formatInstant(endEpochMs)];
  return { kind, datetime, endDatetime, label, sceneIds: [...sceneIds] };
}

function attributionsOf({ catalog }: DrawFramesDeps, maps: readonly LoadedMap[]): readonly string[] {
  const all = maps.map(
    ({ stored: { scene } }) => catalog.findDataset(scene.provider, scene.dataset)?.dataset.attribution ?? "",
  );
  return [...new Set(all)].filter((text) => text !== "");
}

function prepareDrawing(
  { renderer }: DrawFramesDeps,
  { fileName, longestSidePx = DEFAULT_TIMELAPSE_SIDE_PX }: TimelapseRequest,
  maps: readonly LoadedMap[],
  {
    first,
    attributions,
    format,
  }: {
    readonly first: LoadedMap;
    readonly attributions: readonly string[];
    readonly format: SpooledAnimation["format"];
  },
): Drawing {
  const grid = timelapseGrid(
    maps.map(({ map }) => map.geometry),
    longestSidePx,
  );
  const isPicture = first.mapType.rendering.kind === "composite";
  return {
    renderer,
    grid,
    layout: layoutFrames(grid, attributions),
    fileName: exportedFile(first.mapType, { gridFile: "png", fileName }),
    encoding: format === "gif" ? "gif" : isPicture ? "webp-picture" : "webp-drawing",
    rasters: shareStatistics(maps, rasterOf, ({ stored: { scene } }) => `${scene.provider} ${scene.dataset}`),
  };
}

/** The pictures of a pass that have pixels, the later above the earlier. */
async function layersOf(
  { renderer, grid, layout, fileName, rasters }: Drawing,
  { items }: Pass<LoadedMap>,
  leftOut: LeftOutScene[],
  signal: AbortSignal,
): Promise<readonly FrameLayer[]> {
  const layers: FrameLayer[] = [];
  for (const loaded of items) {
    signal.throwIfAborted();
    const request = await drawingOf(loaded, fileName, grid, {}).request();
    const file = await renderer.render({ ...request, raster: rasters.get(loaded) ?? request.raster }, signal);
    if (file.kind === "file") layers.push({ image: file.body, leftPx: layout.pictureLeftPx, topPx: 0 });
    else {
      const { sceneId } = loaded.map;
      leftOut.push({ sceneId, reason: "NO-DATA", message: "the scene has no valid pixel in the area" });
    }
  }
  return layers;
}

async function encode({ layout, encoding }: Drawing, layers: readonly FrameLayer[]): Promise<Uint8Array> {
  return await composeFrame(layout.size, layers, BACKGROUND, encoding);
}

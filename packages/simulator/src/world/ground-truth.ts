import type { Position } from "@swath/kernel/geometry/geojson";
import type { SceneModel } from "../scene-model.ts";
import type { DrawnObject, ObjectKind } from "./object-sink.ts";
import { columnAt, frameOf, onGlobe, rowAt } from "./block.ts";
import { NO_TRUTH, truthOfCover } from "./land-cover.ts";
import { COVER_PALETTE } from "./palette.ts";
import { blockOf, blocksOf, contextOf, insideRow } from "./scene-context.ts";
import { drawSurface } from "./surface.ts";

/** Pixels of the first band. */
export interface TruthWindow {
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
}

/** An object of the world whose middle is in the window. */
export interface TrueObject {
  readonly kind: ObjectKind;
  readonly centre: Position;
  /** Middle in pixels of the first band, from the corner of the scene. */
  readonly centrePx: readonly [column: number, row: number];
  /** Rectangle around it in longitude and latitude, closed. */
  readonly outline: readonly Position[];
  readonly lengthM: number;
  readonly widthM: number;
  /** Degrees clockwise from north, 0 to 360. */
  readonly headingDeg: number;
  /** 0 when it stands. */
  readonly speedMs: number;
  /** Metres over the ground; null where it does not matter. High objects lean away from the satellite, their outlines do not. */
  readonly heightM: number | null;
  /** Under a cloud. */
  readonly hidden: boolean;
}

export interface GroundTruth {
  /** Index into `WORLD_CLASSES` per pixel of the window, `NO_TRUTH` outside the footprint. */
  readonly classes: Uint8Array;
  readonly ships: readonly TrueObject[];
  readonly aircraft: readonly TrueObject[];
  readonly cars: readonly TrueObject[];
  readonly buildings: readonly TrueObject[];
  readonly constructionSites: readonly TrueObject[];
  readonly containerStacks: readonly TrueObject[];
  /** Fires that burn at the time, by the ground that they have reached. */
  readonly fires: readonly TrueObject[];
  /** Swimming pools of gardens. */
  readonly pools: readonly TrueObject[];
  /** Crowns of gardens, parks and streets in towns; trees of woods are not single ones. */
  readonly trees: readonly TrueObject[];
  readonly trucks: readonly TrueObject[];
}

const CLOUDS = 4;

/**
 * The objects on the ground of a window. Objects are listed where the resolution of the first band shows them.
 *
 * @throws {RangeError} if the scene has no band
 */
export function groundTruth(model: SceneModel, window: TruthWindow): GroundTruth {
  const band = model.bands[0];
  if (band === undefined) throw new RangeError("a scene without bands has no ground truth");
  const context = contextOf(model);
  const classes = new Uint8Array(window.columns * window.rows).fill(NO_TRUTH);
  const found = new Map<string, TrueObject>();
  const mask = new Uint8Array(window.columns);
  const [left = 0, right = 0, top = 0, bottom = 0] = blocksOf(
    band,
    window.column,
    window.row,
    window.columns,
    window.rows,
  );
  for (let blockRow = top; blockRow <= bottom; blockRow += 1) {
    for (let blockColumn = left; blockColumn <= right; blockColumn += 1) {
      const block = blockOf(context, band, blockColumn, blockRow);
      const drawn: DrawnObject[] = [];
      const { cover, cloud } = drawSurface(block, context.view, COVER_PALETTE, (object) => drawn.push(object));
      for (
        let row = Math.max(window.row, block.row);
        row < Math.min(window.row + window.rows, block.row + block.rows);
        row += 1
      ) {
        insideRow(context, band, row, window.column, mask);
        for (
          let column = Math.max(window.column, block.column);
          column < Math.min(window.column + window.columns, block.column + block.columns);
          column += 1
        ) {
          if (mask[column - window.column] === 0) continue;
          const pixel = (row - block.row) * block.columns + column - block.column;
          const cloudy = cloud !== null && cloud[pixel]! > 127;
          classes[(row - window.row) * window.columns + column - window.column] = cloudy
            ? CLOUDS
            : truthOfCover(cover[pixel]!);
        }
      }
      for (const object of drawn) {
        const frame = frameOf(block, object.plane);
        const inBlock = [columnAt(block, frame, object.x, object.y), rowAt(block, frame, object.x, object.y)] as const;
        if (inBlock[0] < 0 || inBlock[1] < 0 || inBlock[0] >= block.columns || inBlock[1] >= block.rows) continue;
        const column = block.column + inBlock[0];
        const row = block.row + inBlock[1];
        const inside =
          column >= window.column &&
          row >= window.row &&
          column < window.column + window.columns &&
          row < window.row + window.rows;
        if (!inside) continue;
        const pixel = Math.floor(inBlock[1]) * block.columns + Math.floor(inBlock[0]);
        const described = describe(object, [column, row], cloud !== null && cloud[pixel]! > 127);
        found.set(`${object.kind} ${described.centre[0].toFixed(7)} ${described.centre[1].toFixed(7)}`, described);
      }
    }
  }
  const of = (kind: ObjectKind): readonly TrueObject[] => [...found.values()].filter((object) => object.kind === kind);
  return {
    classes,
    ships: of("ship"),
    aircraft: of("aircraft"),
    cars: of("car"),
    buildings: of("building"),
    constructionSites: of("construction"),
    containerStacks: of("container-stack"),
    fires: of("fire"),
    pools: of("pool"),
    trees: of("tree"),
    trucks: of("truck"),
  };
}

function describe(object: DrawnObject, centrePx: readonly [number, number], hidden: boolean): TrueObject {
  const { plane, x, y, lengthM, widthM, headingRad } = object;
  const outline = [
    [0.5, -0.5],
    [-0.5, -0.5],
    [-0.5, 0.5],
    [0.5, 0.5],
    [0.5, -0.5],
  ].map(([ahead = 0, right = 0]) =>
    onGlobe(
      plane,
      x + Math.sin(headingRad) * ahead * lengthM + Math.cos(headingRad) * right * widthM,
      y + Math.cos(headingRad) * ahead * lengthM - Math.sin(headingRad) * right * widthM,
    ),
  );
  return {
    kind: object.kind,
    centre: onGlobe(plane, x, y),
    centrePx,
    outline,
    lengthM,
    widthM,
    headingDeg: ((((headingRad * 180) / Math.PI) % 360) + 360) % 360,
    speedMs: object.speedMs,
    heightM: object.heightM ?? null,
    hidden,
  };
}

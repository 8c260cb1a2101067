import type { AnalysisBlock, FoundObject, PixelRect } from "../../analysis/block.ts";
import { fillClutter, seededUniform } from "../../analysis/clutter/simulate-clutter.ts";
import { sceneBlock, sceneSurvey, type SeaScene } from "../ships/sea/sea-testing.ts";
import { FIXED, shipSeries, type ShipSeriesParameters } from "./ship-series.ts";
import { SHIPS_MARGIN_PX, type RadarSearchParameters } from "../ships/ships.ts";

const PIXEL_M = 10;
const SIDE = 512;
const SEA = 0.01;
/** Where rigs stand, and where ships lie at each of four dates. */
export const RIGS = [
  [100, 120],
  [300, 90],
  [250, 400],
] as const;
export const SHIPS = [
  [
    [60, 300],
    [400, 200],
  ],
  [
    [160, 260],
    [420, 330],
  ],
  [
    [330, 300],
    [60, 60],
  ],
  [
    [180, 180],
    [420, 430],
  ],
] as const;
const SEARCH: RadarSearchParameters = {
  mode: "radar",
  pixelM: PIXEL_M,
  resolutionM: PIXEL_M,
  falseAlarmRate: 1e-7,
  looks: 4.4,
  flightDeg: [-12, 12],
  ambiguityM: [],
  sizeM: [PIXEL_M, PIXEL_M],
};

function sceneAt(date: number, seed: number): SeaScene {
  const power = new Float32Array(SIDE * SIDE);
  fillClutter(power, 4.4, 6, SEA, seededUniform(97 * seed + date + 1));
  const targets = [
    ...RIGS.map((rig) => [...rig, 6, 6] as const),
    ...SHIPS[date]!.map((ship) => [...ship, 14, 3] as const),
  ];
  for (const [column, row, long, wide] of targets) {
    // Rigs are seen a pixel off now and then.
    const left = column + (long === wide ? date % 2 : 0);
    for (let y = row; y < row + wide; y++) for (let x = left; x < left + long; x++) power[y * SIDE + x] = SEA * 60;
  }
  return { columns: SIDE, rows: SIDE, planes: [power], land: null, pixelM: PIXEL_M };
}

/** What is found in a series of simulated scenes, block by block as the service does. @param days at most four */
export function seriesOf(
  days: readonly number[],
  blockPx = SIDE,
  seed = 0,
): { readonly objects: readonly FoundObject[]; readonly fixedPx: number } {
  const scenes = days.map((_, date) => sceneAt(date, seed));
  const parameters: ShipSeriesParameters = { mode: "series", pixelM: PIXEL_M, days, searches: days.map(() => SEARCH) };
  const joined = (make: (scene: SeaScene) => AnalysisBlock): AnalysisBlock => {
    const blocks = scenes.map(make);
    return { ...blocks[0]!, scenes: blocks.map((block) => block.scenes[0]!) };
  };
  const surveys = scenes.map((scene) => sceneSurvey(scene));
  const survey = {
    overview: { ...surveys[0]!.overview, scenes: surveys.map(({ overview }) => overview.scenes[0]!) },
    windows: surveys[0]!.windows.map((window, w) => ({
      ...window,
      scenes: surveys.map(({ windows }) => windows[w]!.scenes[0]!),
    })),
  };
  const models = shipSeries.survey!(survey, parameters);
  const objects: FoundObject[] = [];
  let fixedPx = 0;
  for (let row = 0; row < SIDE; row += blockPx) {
    for (let column = 0; column < SIDE; column += blockPx) {
      const core: PixelRect = { column, row, columns: blockPx, rows: blockPx };
      const margin = SHIPS_MARGIN_PX;
      const rect = {
        column: column - margin,
        row: row - margin,
        columns: blockPx + 2 * margin,
        rows: blockPx + 2 * margin,
      };
      const result = shipSeries.compute(
        joined((scene) => sceneBlock(scene, rect, core)),
        models,
        parameters,
      );
      objects.push(
        ...result.objects.filter(
          ({ centre: [x, y] }) => x >= column && y >= row && x < column + blockPx && y < row + blockPx,
        ),
      );
      for (let y = margin; y < margin + blockPx; y++) {
        for (let x = margin; x < margin + blockPx; x++)
          if (result.layers[0]![y * rect.columns + x] === FIXED) fixedPx++;
      }
    }
  }
  const inOrder = objects.toSorted((a, b) => a.centre[1] - b.centre[1] || a.centre[0] - b.centre[0]);
  return { objects: shipSeries.finish!(inOrder, models, parameters), fixedPx };
}

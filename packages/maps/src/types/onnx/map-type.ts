import type { BlockAlgorithm } from "../../analysis/block.ts";
import { bandPosition } from "../../models/band-position.ts";
import type { ModelBand, ModelManifest } from "../../models/model-manifest.ts";
import { finishModel, modelBackground, modelMarginPx, runModel, type ModelParameters } from "../../models/run-model.ts";
import { runRows } from "../../models/run-rows.ts";
import type { ResultLayer } from "@swath/kernel/raster-mathematics/rendering";
import type { Analysis, AnalysisPlan, WantedPlane } from "../../planning/analysis.ts";
import type { MapTypeDescriptor } from "../../map-type.ts";
import { incomparable } from "../../planning/compared-scenes.ts";
import { firstScene, resolutionM, type PlannedScene } from "../../planning/planned-scene.ts";
import { lacksBands, tooCoarse, unsupported, type Refusal } from "../../planning/refusals.ts";
import { resultMapType } from "../../planning/result-map-type.ts";

const RADAR: readonly ModelBand[] = ["vv", "vh", "hh", "hv"];
/** Colours that differ in hue and lightness, again from the first when there are more classes. */
const COLOURS: readonly (readonly [number, number, number])[] = [
  [255, 112, 67],
  [66, 165, 245],
  [255, 202, 40],
  [171, 71, 188],
  [38, 166, 154],
  [236, 64, 122],
  [156, 204, 101],
  [121, 85, 72],
  [92, 107, 192],
  [255, 241, 118],
];

/** Score of the best class of each window, also where it is too low for the class to be drawn. */
const CONFIDENCE: ResultLayer = {
  kind: "values",
  name: "confidence",
  unit: "1",
  range: [0, 1],
  ramp: "heat",
  drawnFrom: null,
};

/** The algorithm computes by the model alone. */
const algorithm: BlockAlgorithm<ModelParameters> = {
  compute() {
    throw new TypeError("a model runs asynchronously: its analysis has an inference");
  },
  finish: finishModel,
};

/** The map type of a model that a user has installed: `model-<id>`. */
export function modelMapType(manifest: ModelManifest): MapTypeDescriptor {
  const id = `model-${manifest.id}`;
  const analysis: Analysis<ModelParameters> = {
    name: `onnx:${manifest.id}`,
    algoVersion: 2,
    scenes: { min: manifest.dates, max: manifest.dates },
    layers: layersOf(manifest),
    marginPx: modelMarginPx(manifest),
    wantsLand: false,
    plan: (scenes) => planModel(id, manifest, scenes),
    algorithm,
    inference: { compute: manifest.input.form === "rows" ? runRows : runModel },
  };
  const isDetector = manifest.task === "detect-hbb" || manifest.task === "detect-obb";
  return resultMapType({
    id,
    longName: manifest.description,
    group: isDetector ? "objects" : "other",
    description: `${manifest.description} (model ${manifest.id} ${manifest.version}; ${manifest.licence})`,
    maturity: "self-tested",
    measuredBy: [],
    analysis,
    datasetTypes: manifest.bands.some((band) => RADAR.includes(band)) ? ["sar-grd"] : ["optical"],
    ...(isDetector ? { objectsFile: "detections.geojson" as const } : {}),
    settings: {
      maxGsdM: manifest.gsd.max,
      resolutionM: manifest.gsd.train,
      isGlobal: manifest.input.valueRange === "percentile",
    },
    quality: {
      note: `by the model ${manifest.id} ${manifest.version}, which its user has installed; licence: ${manifest.licence}`,
      expected: "as its author says for scenes like those it was trained on; nothing is known of others",
    },
  });
}

function layersOf(manifest: ModelManifest): readonly ResultLayer[] {
  const { classes, output, task, value } = manifest;
  if (value !== null) return [{ kind: "values", ...value, drawnFrom: null }];
  const named: ResultLayer = {
    kind: "classes",
    name: "classes",
    classes: classes.map((name, index) => ({ name, value: index + 1, color: COLOURS[index % COLOURS.length]! })),
    backgroundValue: modelBackground(manifest),
  };
  return task === "classify" || output.format === "scores" ? [named, CONFIDENCE] : [named];
}

function planModel(
  id: string,
  manifest: ModelManifest,
  scenes: readonly PlannedScene[],
): AnalysisPlan<ModelParameters> {
  const refusal = scenes.length > 1 ? incomparable(id, scenes) : null;
  if (refusal !== null) return refusal;
  const planes: (readonly WantedPlane[])[] = [];
  const ranges: (readonly [number, number])[] = [];
  const quantity = manifest.input.valueRange === "reflectance" ? "reflectance" : "stored";
  for (const planned of scenes) {
    const found = positionsOf(id, manifest, planned);
    if (!found.accepted) return found;
    planes.push(found.positions.map((position): WantedPlane => ({ position, quantity, resampling: "smooth" })));
    for (const position of found.positions) {
      const { p005, p995 } = planned.raster.bands[position]!.statistics;
      ranges.push([p005, p995]);
    }
  }
  const gridPosition = planes[0]![0]!.position;
  const nativeM = resolutionM(firstScene(scenes), gridPosition);
  const parameters: ModelParameters = { manifest, ranges };
  return {
    accepted: true,
    gridPosition,
    reduction: Math.max(1, Math.floor(manifest.gsd.train / nativeM + 1e-6)),
    planes,
    parameters,
  };
}

/** Positions of the bands of a model in a scene, or why the scene does not suit the model. */
function positionsOf(
  id: string,
  manifest: ModelManifest,
  planned: PlannedScene,
): { readonly accepted: true; readonly positions: readonly number[] } | Refusal {
  const { scene, roles } = planned;
  const positions = manifest.bands.map((band) => bandPosition(band, roles));
  const known = positions.filter((position) => position !== undefined);
  const [gridPosition] = known;
  if (known.length < positions.length || gridPosition === undefined) {
    const missing = manifest.bands.filter((_, index) => positions[index] === undefined);
    return lacksBands(id, planned, manifest.bands, missing);
  }
  const nativeM = resolutionM(planned, gridPosition);
  const { min, max } = manifest.gsd;
  if (!(nativeM <= max)) return tooCoarse(id, planned, nativeM, max);
  if (nativeM < min) {
    return unsupported(`${id} needs pixels of at least ${min} m; scene ${scene.sceneId} has ${nativeM.toFixed(2)} m`);
  }
  return { accepted: true, positions: known };
}

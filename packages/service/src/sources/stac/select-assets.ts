import type { DataType } from "@swath/kernel/scenes/stored-raster";
import { roleOfPolarisation, roleOfText } from "@swath/raster/scene-metadata/band-roles";
import { nameBands, sensorOfBands, type BandNaming } from "@swath/raster/scene-metadata/band-naming";
import { type MatchedBand, stem } from "@swath/raster/scene-metadata/match-bands";
import { type DocumentBand, EMPTY_BAND } from "@swath/raster/scene-metadata/scene-metadata";
import { type Sensor, sensorBand, sensorById, sensorOfName } from "@swath/raster/scene-metadata/sensors";
import { fileOf, readStacAssets, type StacAsset, type StacBand } from "@swath/raster/scene-metadata/stac-item";
import type { StacDatasetConfig } from "./config.ts";
import { landsatLevel1Band, sentinel2Band } from "./harmonize.ts";

type Json = Readonly<Record<string, unknown>>;

/** A band of an item that belongs to the scene. */
export interface SelectedBand {
  /** Position in `Selection.files`. */
  readonly file: number;
  readonly matched: MatchedBand & { readonly document: DocumentBand };
  readonly naming: BandNaming;
}

/** A file of an item that holds bands of the scene. */
export interface SelectedFile {
  readonly asset: StacAsset;
  /** Unique within the item; file name, or asset key and file name. */
  readonly name: string;
  /** To subtract from its pixels. */
  readonly shift: number;
}

export interface Selection {
  readonly sensor: Sensor | null;
  readonly files: readonly SelectedFile[];
  readonly bands: readonly SelectedBand[];
  /** Whether `bands` are all bands of the files; otherwise the files know better than the item. */
  readonly complete: boolean;
}

interface Candidate {
  readonly asset: StacAsset;
  readonly index: number;
  readonly document: DocumentBand;
  readonly dataType: string | null;
}

/** Assets without measurements, by role or by the key of the asset. */
const NO_DATA_ROLES = new Set([
  "thumbnail",
  "overview",
  "visual",
  "metadata",
  "mask",
  "cloud",
  "cloud-shadow",
  "snow-ice",
  "water-mask",
  "saturation",
  "data-mask",
  "angle",
  "incidence-angle",
  "tiles",
]);
const NO_DATA_KEYS =
  /(?:^|[_-])(?:visual|tci|thumbnail|overview|preview|udm2?|rendered_preview|browse|quicklook)(?:$|[_-])/i;
const DATA_TYPES: ReadonlySet<string> = new Set<DataType>([
  "uint8",
  "int8",
  "uint16",
  "int16",
  "uint32",
  "int32",
  "float32",
  "float64",
]);

/** The bands of a scene and the files they are in, from an item and the configuration of its dataset. */
export function selectAssets(
  item: Json,
  properties: Json,
  platform: string | null,
  config: StacDatasetConfig,
): Selection {
  const id = typeof item["id"] === "string" ? item["id"] : "";
  const assets = readStacAssets(item).filter(isRaster);
  const known = sensorById(config.sensor ?? platform ?? "") ?? sensorOfName(id)?.sensor ?? null;
  const candidates =
    config.bands === undefined ? inTableOrder(statedBands(assets, known), known) : configured(assets, config.bands);
  const files: SelectedFile[] = [];
  const drafts = candidates.map((candidate) => {
    const table = known === null ? null : sensorBand(known, candidate.document.id ?? "");
    const role = table?.role ?? candidate.document.role;
    const named = landsatLevel1Band({ ...candidate.document, role }, id);
    const optical = known?.id === "sentinel-2" && table !== null;
    const settled = optical
      ? sentinel2Band(named, properties, config.harmonize ?? true)
      : { document: named, shift: 0 };
    let file = files.findIndex(({ asset }) => asset === candidate.asset);
    if (file < 0) {
      files.push({ asset: candidate.asset, name: freeName(candidate.asset, files), shift: settled.shift });
      file = files.length - 1;
    }
    const fileName = files[file]?.name ?? "";
    const matched = {
      raster: file,
      band: candidate.index,
      fileName,
      source: {
        dataType: dataTypeOf(candidate.dataType, known),
        description: null,
        wavelengthNm: null,
        nodata: settled.document.nodata,
        scale: 1,
        offset: 0,
        unit: null,
        colorInterpretation: "undefined" as const,
      },
      document: { ...settled.document, file: fileName, index: candidate.index },
    };
    return { file, matched };
  });
  const inOrder = drafts.toSorted((a, b) => a.file - b.file || a.matched.band - b.matched.band);
  const matched = inOrder.map((draft) => draft.matched);
  const sensor = known ?? sensorOfBands(matched);
  const naming = nameBands(matched, sensor);
  return {
    sensor,
    files,
    bands: inOrder.flatMap((draft, i) => {
      const named = naming[i];
      return named === undefined ? [] : [{ ...draft, naming: named }];
    }),
    complete: config.bands !== undefined || candidates.every(({ asset }) => asset.statesBands),
  };
}

/** Bands in the order of the sensor's table, those that it does not have after them. */
function inTableOrder(candidates: readonly Candidate[], sensor: Sensor | null): readonly Candidate[] {
  if (sensor === null) return candidates;
  const rank = ({ document }: Candidate): number => {
    const table = sensorBand(sensor, document.id ?? "");
    return table === null ? sensor.bands.length : sensor.bands.indexOf(table);
  };
  return candidates.toSorted((a, b) => rank(a) - rank(b));
}

function isRaster({ href, mediaType }: StacAsset): boolean {
  return /tiff|jp2|jpeg2000/.test(mediaType) || /\.(?:tiff?|jp2)$/i.test(fileOf(href));
}

function configured(
  assets: readonly StacAsset[],
  bands: NonNullable<StacDatasetConfig["bands"]>,
): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const [id, patterns] of Object.entries(bands)) {
    for (const pattern of typeof patterns === "string" ? [patterns] : patterns) {
      const [glob = "", number] = pattern.split("#");
      const index = number === undefined ? 0 : Math.max(0, Number.parseInt(number, 10) - 1);
      const asset = assets.find(({ key }) => matchesGlob(key, glob));
      if (asset === undefined) continue;
      const band = asset.bands[index];
      const document = { ...(band?.document ?? { ...EMPTY_BAND, index }), id };
      candidates.push({ asset, index, document, dataType: band?.dataType ?? asset.bands[0]?.dataType ?? null });
      break;
    }
  }
  return candidates;
}

function matchesGlob(text: string, glob: string): boolean {
  const parts = glob.toLowerCase().split("*");
  const lower = text.toLowerCase();
  const [first = ""] = parts;
  const last = parts.at(-1) ?? "";
  if (parts.length === 1) return lower === first;
  if (!lower.startsWith(first) || !lower.endsWith(last) || lower.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = lower.indexOf(part, at);
    if (found < 0 || found + part.length > lower.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

/**
 * The bands whose meaning the item states, each at its finest resolution. They come from files of one band each or
 * from one file of several, whichever gives more bands: files of several are versions of each other.
 */
function statedBands(assets: readonly StacAsset[], sensor: Sensor | null): readonly Candidate[] {
  const data = assets.filter(isData);
  const meaningful = data
    .map((asset) =>
      asset.bands.flatMap((band, index): Candidate[] =>
        hasMeaning(band, sensor) ? [{ asset, index, document: band.document, dataType: band.dataType }] : [],
      ),
    )
    .filter((bands) => bands.length > 0);
  const single = finest(meaningful.filter((bands) => (bands[0]?.asset.bands.length ?? 0) === 1).flat(), sensor);
  const groups = [single, ...meaningful.filter((bands) => (bands[0]?.asset.bands.length ?? 0) > 1)];
  const best = groups.reduce((most, group) => (group.length > most.length ? group : most), []);
  if (best.length > 0) return best;
  // Nothing says what the bands are: all that is declared as data.
  return data.flatMap((asset) =>
    asset.bands.map(({ document, dataType }, index) => ({ asset, index, document, dataType })),
  );
}

function isData({ key, roles }: StacAsset): boolean {
  return !roles.some((role) => NO_DATA_ROLES.has(role)) && !NO_DATA_KEYS.test(key);
}

function hasMeaning({ document }: StacBand, sensor: Sensor | null): boolean {
  const id = document.id ?? "";
  if (sensor !== null && sensorBand(sensor, id) !== null) return true;
  return document.role !== null || roleOfPolarisation(id) !== null || roleOfText(id) !== null;
}

/** One of several files of the same band: the finest, and among equal ones the first. */
function finest(candidates: readonly Candidate[], sensor: Sensor | null): readonly Candidate[] {
  const best = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { id, role } = candidate.document;
    const table = sensor === null ? null : sensorBand(sensor, id ?? "");
    const key = table?.id ?? id?.toLowerCase() ?? role ?? candidate.asset.key;
    const known = best.get(key);
    if (known === undefined || pixelSize(candidate) < pixelSize(known)) best.set(key, candidate);
  }
  return [...best.values()];
}

function pixelSize({ asset, document }: Candidate): number {
  const shape = asset.projection.shape;
  const size = document.gsdM ?? (asset.projection.transform === null ? null : Math.abs(asset.projection.transform[0]));
  return size ?? (shape === null ? Number.MAX_VALUE : 1 / shape[1]);
}

function freeName(asset: StacAsset, files: readonly SelectedFile[]): string {
  const name = fileOf(asset.href).slice(0, 200) || asset.key;
  return files.some((file) => stem(file.name) === stem(name)) ? `${asset.key}-${name}` : name;
}

function dataTypeOf(stated: string | null, sensor: Sensor | null): DataType {
  if (stated !== null && isDataType(stated)) return stated;
  // Everything a sensor of the tables delivers is 16 bits wide; others are assumed to be like most.
  return sensor === null ? "uint8" : "uint16";
}

function isDataType(text: string): text is DataType {
  return DATA_TYPES.has(text);
}

import { posix } from "node:path";
import { parseDocumentTime } from "./acquisition-time.ts";
import { roleOfCommonName } from "@swath/kernel/bands/common-name";
import { isRecord } from "./json-reader.ts";
import { perMicrometre } from "./radiance-unit.ts";
import { type DocumentBand, EMPTY_BAND, type SceneDocument } from "./scene-metadata.ts";

type Json = Readonly<Record<string, unknown>>;

const MAX_ASSETS = 500;
const MAX_BANDS = 512;

export function isStacItem(json: unknown): json is Json {
  return isRecord(json) && json["type"] === "Feature" && isRecord(json["properties"]);
}

/** One file of an item as far as it concerns pixels. */
export interface StacAsset {
  readonly key: string;
  readonly href: string;
  /** Lower case, "" when not stated. */
  readonly mediaType: string;
  /** Lower case. */
  readonly roles: readonly string[];
  /** Bands of the item; one empty entry where it states none. */
  readonly bands: readonly StacBand[];
  /** Whether the item states the bands. */
  readonly statesBands: boolean;
  readonly projection: StacProjection;
}

/** A band of an asset: members for ingest and members for a catalogue only. */
export interface StacBand {
  readonly document: DocumentBand;
  /** As in `raster:bands`, such as "uint16"; null when not stated. */
  readonly dataType: string | null;
}

/** Where the grid of an item or asset lies, as the projection extension tells it. */
export interface StacProjection {
  readonly epsg: number | null;
  readonly shape: readonly [rows: number, columns: number] | null;
  /** Pixel corners to CRS coordinates. */
  readonly transform: readonly [number, number, number, number, number, number] | null;
  readonly bbox: readonly [west: number, south: number, east: number, north: number] | null;
}

/**
 * A STAC item (0.8 to 1.1). Foreign documents are read leniently: a member of the wrong type is ignored.
 * Bands come from the assets whose files are GeoTIFF, matched to the uploaded files by name.
 */
export function readStacItem(item: Json): SceneDocument {
  const bands = readStacAssets(item)
    .filter(({ href }) => /\.tiff?$/i.test(fileOf(href)))
    .flatMap((asset) => asset.bands.map(({ document }) => document))
    .slice(0, MAX_BANDS);
  return { ...readStacProperties(item), bands: bands.length === 0 ? null : bands, complete: false };
}

/** Properties of an item for the scene as a whole. */
export function readStacProperties(item: Json): Pick<SceneDocument, "sensor" | "fields"> {
  const p = isRecord(item["properties"]) ? item["properties"] : {};
  const platform = text(p["platform"]) ?? text(p["eo:platform"]);
  const time = text(p["datetime"]) ?? text(p["start_datetime"]);
  const datetime = time === undefined ? null : parseDocumentTime(time);
  const cloud = number(p["eo:cloud_cover"]);
  const orbit = text(p["sat:orbit_state"]);
  const look = text(p["sar:observation_direction"]);
  const relativeOrbit = number(p["sat:relative_orbit"]);
  const solarZenith = number(p["s2:mean_solar_zenith"]);
  // The metadata file of a Planet order is a feature whose members have no prefix.
  const quality = text(p["pl:quality_category"]) ?? text(p["quality_category"]);
  const groundControl = p["pl:ground_control"] ?? p["ground_control"];
  const anomalous = number(p["pl:anomalous_pixels"]) ?? number(p["anomalous_pixels"]);
  const fields: Record<string, unknown> = {
    foreignId: text(item["id"]) ?? (typeof item["id"] === "number" ? String(item["id"]) : undefined),
    satellite: platform?.toUpperCase().replaceAll("_", "-"),
    datetime: datetime ?? undefined,
    cloudCover: cloud !== undefined && cloud >= 0 && cloud <= 100 ? Math.round(cloud * 1e6) / 1e8 : undefined,
    offNadir: number(p["view:off_nadir"]) ?? number(p["eo:off_nadir"]),
    sunElevation:
      number(p["view:sun_elevation"]) ??
      number(p["eo:sun_elevation"]) ??
      (solarZenith === undefined ? undefined : 90 - solarZenith),
    sunAzimuth: number(p["view:sun_azimuth"]) ?? number(p["eo:sun_azimuth"]) ?? number(p["s2:mean_solar_azimuth"]),
    satelliteAzimuth: number(p["view:azimuth"]),
    mode: text(p["sar:instrument_mode"]),
    orbitPass: orbit === "ascending" || orbit === "descending" ? orbit : undefined,
    lookSide: look === "left" || look === "right" ? look : undefined,
    relativeOrbitNumberStart: relativeOrbit,
    relativeOrbitNumberStop: relativeOrbit,
    sliceNumber: number(p["s1:slice_number"]) ?? numeric(text(p["s1:slice_number"])),
    looks: number(p["sar:looks_equivalent_number"]),
    anomalousRatio: anomalous !== undefined && anomalous >= 0 && anomalous <= 1 ? anomalous : undefined,
    groundControlFlag: typeof groundControl === "boolean" ? groundControl : undefined,
    sensorQualityFlag: quality === undefined ? undefined : quality === "standard",
  };
  return {
    sensor: platform ?? text(p["constellation"]) ?? null,
    fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
  };
}

/** The files of an item in its order, metadata files included. */
export function readStacAssets(item: Json): readonly StacAsset[] {
  const p = isRecord(item["properties"]) ? item["properties"] : {};
  const assets = isRecord(item["assets"]) ? Object.entries(item["assets"]).slice(0, MAX_ASSETS) : [];
  const shared = list(p["eo:bands"]) ?? list(p["bands"]) ?? [];
  const ofItem = readProjection(p, null);
  return assets.flatMap(([key, asset]): StacAsset[] => {
    if (!isRecord(asset)) return [];
    const href = hrefOfAsset(asset);
    if (href === undefined) return [];
    const { bands, statesBands } = readAssetBands(key, asset, shared, fileOf(href));
    return [
      {
        key,
        href,
        mediaType: text(asset["type"])?.toLowerCase() ?? "",
        roles: (list(asset["roles"]) ?? []).flatMap((role) => (typeof role === "string" ? [role.toLowerCase()] : [])),
        bands,
        statesBands,
        projection: readProjection(asset, ofItem),
      },
    ];
  });
}

/** The assets with the addresses and grids of another item, whose assets of the same keys are alike otherwise. */
export function movedAssets(assets: readonly StacAsset[], item: Json): readonly StacAsset[] {
  const ofItem = readProjection(record(item["properties"]), null);
  const others = record(item["assets"]);
  return assets.map((asset) => {
    const other = record(others[asset.key]);
    return { ...asset, href: hrefOfAsset(other) ?? asset.href, projection: readProjection(other, ofItem) };
  });
}

/** The name of the file that an address ends with, its query left out. */
export function fileOf(href: string): string {
  return posix.basename(href.split(/[?#]/)[0] ?? "");
}

/** The address of the file of an asset; undefined without one. */
export function hrefOfAsset(asset: Json): string | undefined {
  return httpAlternate(asset) ?? text(asset["href"]);
}

/** An https address among the alternatives, for assets whose own is of another kind. */
function httpAlternate(asset: Json): string | undefined {
  if (/^https?:/i.test(text(asset["href"]) ?? "")) return undefined;
  const alternates = isRecord(asset["alternate"]) ? Object.values(asset["alternate"]) : [];
  const hrefs = alternates.map((alternate) => (isRecord(alternate) ? text(alternate["href"]) : undefined));
  return hrefs.find((href) => href !== undefined && /^https?:/i.test(href));
}

function readProjection(of: Json, fallback: StacProjection | null): StacProjection {
  const code = /^EPSG:(\d{4,6})$/i.exec(text(of["proj:code"]) ?? "")?.[1];
  const epsg = number(of["proj:epsg"]) ?? (code === undefined ? undefined : Number(code));
  const [rows, columns] = numbers(of["proj:shape"], 2) ?? [];
  const [a, b, c, d, e, f] = numbers(of["proj:transform"], 6) ?? [];
  const [west, south, east, north] = numbers(of["proj:bbox"], 4) ?? [];
  return {
    epsg: epsg ?? fallback?.epsg ?? null,
    shape:
      rows !== undefined && columns !== undefined && rows > 0 && columns > 0
        ? [rows, columns]
        : (fallback?.shape ?? null),
    transform:
      a !== undefined && b !== undefined && c !== undefined && d !== undefined && e !== undefined && f !== undefined
        ? [a, b, c, d, e, f]
        : (fallback?.transform ?? null),
    bbox:
      west !== undefined && south !== undefined && east !== undefined && north !== undefined
        ? [west, south, east, north]
        : (fallback?.bbox ?? null),
  };
}

function readAssetBands(
  key: string,
  asset: Json,
  shared: readonly unknown[],
  file: string,
): Pick<StacAsset, "bands" | "statesBands"> {
  const optical = list(asset["eo:bands"]) ?? [];
  const raster = list(asset["raster:bands"]) ?? [];
  const common = list(asset["bands"]) ?? [];
  const polarisations = list(asset["sar:polarizations"]) ?? [];
  const count = Math.min(MAX_BANDS, Math.max(1, optical.length, raster.length, common.length));
  const bands = Array.from({ length: count }, (_, i): StacBand => {
    const reference = optical[i];
    const described = typeof reference === "number" ? shared[reference] : reference;
    const merged = { ...record(described), ...record(raster[i]), ...record(common[i]) };
    const fallback = {
      name: i === 0 && count === 1 ? key : undefined,
      // Members that all bands share are written once, in the asset (STAC 1.1).
      gsd: asset["raster:spatial_resolution"] ?? asset["gsd"] ?? asset["sar:pixel_spacing_range"],
      polarisation: polarisations[i],
      nodata: asset["nodata"],
      scale: asset["raster:scale"],
      offset: asset["raster:offset"],
      unit: asset["unit"],
    };
    return {
      document: { ...readBand(merged, fallback), file, index: i },
      dataType: text(merged["data_type"]) ?? text(asset["data_type"]) ?? null,
    };
  });
  return { bands, statesBands: optical.length + raster.length + common.length > 0 };
}

interface Fallback {
  readonly name: string | undefined;
  readonly gsd: unknown;
  readonly polarisation: unknown;
  readonly nodata: unknown;
  readonly scale: unknown;
  readonly offset: unknown;
  readonly unit: unknown;
}

function readBand(band: Json, fallback: Fallback): DocumentBand {
  const name = text(band["name"]) ?? text(fallback.polarisation) ?? fallback.name ?? null;
  const commonName = text(band["eo:common_name"]) ?? text(band["common_name"]);
  const micrometres = number(band["eo:center_wavelength"]) ?? number(band["center_wavelength"]);
  const scale = number(band["raster:scale"]) ?? number(band["scale"]) ?? number(fallback.scale);
  const offset = number(band["raster:offset"]) ?? number(band["offset"]) ?? number(fallback.offset) ?? 0;
  const role = commonName === undefined ? null : roleOfCommonName(commonName);
  const nodata = band["nodata"] ?? fallback.nodata;
  // Scales of thermal bands lead to kelvin.
  const thermal = role?.startsWith("T") === true || (micrometres !== undefined && micrometres >= 3);
  const unit = text(band["unit"]) ?? text(fallback.unit) ?? "";
  const radiance = scale === undefined || scale <= 0 ? null : perMicrometre(unit, scale);
  const reflective = !thermal && radiance === null && (commonName !== undefined || micrometres !== undefined);
  const scaled = reflective && scale !== undefined && scale > 0;
  return {
    ...EMPTY_BAND,
    id: name,
    role,
    wavelengthNm: micrometres === undefined ? null : micrometres * 1000,
    gsdM:
      number(band["raster:spatial_resolution"]) ??
      number(band["spatial_resolution"]) ??
      number(band["gsd"]) ??
      number(fallback.gsd) ??
      null,
    nodata: number(nodata) ?? (text(nodata)?.toLowerCase() === "nan" ? Number.NaN : null),
    radianceMult: radiance === null || scale === undefined ? null : scale * radiance,
    radianceAdd: radiance === null ? null : offset * radiance,
    reflectanceMult: scaled ? scale : null,
    reflectanceAdd: scaled ? offset : null,
    // Scales in STAC items lead to reflectance as it is used, not to the value before division by the sun's elevation.
    sunCorrected: true,
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= 2000 ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function numeric(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
}

/** At least `count` finite numbers. */
function numbers(value: unknown, count: number): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length < count) return undefined;
  const found = value.slice(0, 16).map(number);
  return found.every((one) => one !== undefined) ? found : undefined;
}

function list(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function record(value: unknown): Json {
  return isRecord(value) ? value : {};
}

import { posix } from "node:path";
import { parseDocumentTime } from "./acquisition-time.ts";
import { roleOfCommonName } from "./band-roles.ts";
import { isRecord } from "./json-reader.ts";
import { type DocumentBand, EMPTY_BAND, type SceneDocument } from "./scene-metadata.ts";

type Json = Readonly<Record<string, unknown>>;

const MAX_ASSETS = 500;
const MAX_BANDS = 512;

export function isStacItem(json: unknown): json is Json {
  return isRecord(json) && json["type"] === "Feature" && isRecord(json["properties"]);
}

/**
 * A STAC item (0.8 to 1.1). Foreign documents are read leniently: a member of the wrong type is ignored.
 * Bands are those of the assets whose files are GeoTIFF, matched to the uploaded files by name.
 */
export function readStacItem(item: Json): SceneDocument {
  const p = isRecord(item["properties"]) ? item["properties"] : {};
  const platform = text(p["platform"]) ?? text(p["eo:platform"]);
  const time = text(p["datetime"]) ?? text(p["start_datetime"]);
  const datetime = time === undefined ? null : parseDocumentTime(time);
  const cloud = number(p["eo:cloud_cover"]);
  const orbit = text(p["sat:orbit_state"]);
  const look = text(p["sar:observation_direction"]);
  const relativeOrbit = number(p["sat:relative_orbit"]);
  const fields: Record<string, unknown> = {
    foreignId: text(item["id"]),
    satellite: platform?.toUpperCase().replaceAll("_", "-"),
    datetime: datetime ?? undefined,
    cloudCover: cloud !== undefined && cloud >= 0 && cloud <= 100 ? cloud / 100 : undefined,
    offNadir: number(p["view:off_nadir"]) ?? number(p["eo:off_nadir"]),
    sunElevation: number(p["view:sun_elevation"]) ?? number(p["eo:sun_elevation"]),
    sunAzimuth: number(p["view:sun_azimuth"]) ?? number(p["eo:sun_azimuth"]),
    satelliteAzimuth: number(p["view:azimuth"]),
    mode: text(p["sar:instrument_mode"]),
    orbitPass: orbit === "ascending" || orbit === "descending" ? orbit : undefined,
    lookSide: look === "left" || look === "right" ? look : undefined,
    relativeOrbitNumberStart: relativeOrbit,
    relativeOrbitNumberStop: relativeOrbit,
    sliceNumber: number(p["s1:slice_number"]) ?? numeric(text(p["s1:slice_number"])),
    looks: number(p["sar:looks_equivalent_number"]),
  };
  return {
    sensor: platform ?? text(p["constellation"]) ?? null,
    fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    bands: readAssets(item, p),
    complete: false,
  };
}

function readAssets(item: Json, properties: Json): readonly DocumentBand[] | null {
  const assets = isRecord(item["assets"]) ? Object.entries(item["assets"]).slice(0, MAX_ASSETS) : [];
  const shared = list(properties["eo:bands"]) ?? [];
  const bands: DocumentBand[] = [];
  for (const [key, asset] of assets) {
    if (!isRecord(asset)) continue;
    const href = text(asset["href"]) ?? "";
    const file = posix.basename(href.split(/[?#]/)[0] ?? "");
    if (!/\.tiff?$/i.test(file)) continue;
    const optical = list(asset["eo:bands"]) ?? [];
    const raster = list(asset["raster:bands"]) ?? [];
    const common = list(asset["bands"]) ?? [];
    const polarisations = list(asset["sar:polarizations"]) ?? [];
    const count = Math.max(1, optical.length, raster.length, common.length);
    for (let i = 0; i < count && bands.length < MAX_BANDS; i++) {
      const reference = optical[i];
      const described = typeof reference === "number" ? shared[reference] : reference;
      const merged = { ...record(described), ...record(raster[i]), ...record(common[i]) };
      const fallback = {
        name: i === 0 && count === 1 ? key : undefined,
        gsd: asset["gsd"],
        polarisation: polarisations[i],
      };
      bands.push({ ...readBand(merged, fallback), file, index: i });
    }
  }
  return bands.length === 0 ? null : bands;
}

interface Fallback {
  readonly name: string | undefined;
  readonly gsd: unknown;
  readonly polarisation: unknown;
}

function readBand(band: Json, fallback: Fallback): DocumentBand {
  const name = text(band["name"]) ?? text(fallback.polarisation) ?? fallback.name ?? null;
  const commonName = text(band["eo:common_name"]) ?? text(band["common_name"]);
  const micrometres = number(band["eo:center_wavelength"]) ?? number(band["center_wavelength"]);
  const scale = number(band["raster:scale"]) ?? number(band["scale"]);
  const offset = number(band["raster:offset"]) ?? number(band["offset"]) ?? 0;
  const optical = commonName !== undefined || (micrometres !== undefined && micrometres < 3);
  return {
    ...EMPTY_BAND,
    id: name,
    role: commonName === undefined ? null : roleOfCommonName(commonName),
    wavelengthNm: micrometres === undefined ? null : micrometres * 1000,
    gsdM:
      number(band["raster:spatial_resolution"]) ??
      number(band["spatial_resolution"]) ??
      number(band["gsd"]) ??
      number(fallback.gsd) ??
      null,
    nodata: number(band["nodata"]) ?? (text(band["nodata"])?.toLowerCase() === "nan" ? Number.NaN : null),
    reflectanceMult: optical && scale !== undefined && scale > 0 ? scale : null,
    reflectanceAdd: optical && scale !== undefined && scale > 0 ? offset : null,
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

function list(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function record(value: unknown): Json {
  return isRecord(value) ? value : {};
}

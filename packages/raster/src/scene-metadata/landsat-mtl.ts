import { parseDocumentTime } from "./acquisition-time.ts";
import { earthSunDistanceAu, reflectancePerRadiance, solarIrradiance } from "./solar-irradiance.ts";
import { isRecord } from "./json-reader.ts";
import { type DocumentBand, EMPTY_BAND, type SceneDocument } from "./scene-metadata.ts";

/** Longer files are not Landsat metadata. */
const MAX_CHARACTERS = 1024 * 1024;

/** Whether a file name names a Landsat metadata file, text or JSON. */
export function isMtlName(name: string): boolean {
  return /_MTL\.(?:txt|json)$/i.test(name);
}

/** A Landsat MTL file; null when it is none. */
export function readMtl(content: string): SceneDocument | null {
  const items = parseMtl(content);
  const spacecraft = items.get("SPACECRAFT_ID");
  if (spacecraft === undefined) return null;
  const day = items.get("DATE_ACQUIRED");
  const datetime =
    day === undefined ? null : parseDocumentTime(`${day} ${items.get("SCENE_CENTER_TIME")?.slice(0, 8) ?? ""}`.trim());
  const cloud = Number(items.get("CLOUD_COVER"));
  const level = items.get("PROCESSING_LEVEL") ?? items.get("DATA_TYPE") ?? "";
  return {
    sensor: spacecraft,
    fields: {
      foreignId: items.get("LANDSAT_PRODUCT_ID") ?? items.get("LANDSAT_SCENE_ID") ?? null,
      satellite: spacecraft.replaceAll("_", "-"),
      ...(datetime === null ? {} : { datetime }),
      ...numberField("sunElevation", items.get("SUN_ELEVATION")),
      ...numberField("sunAzimuth", items.get("SUN_AZIMUTH")),
      ...(cloud >= 0 && cloud <= 100 ? { cloudCover: cloud / 100 } : {}),
    },
    bands: readBands(items, level.startsWith("L2"), spacecraft.replaceAll("_", "-"), day),
    complete: false,
  };
}

function numberField<const Key extends string>(key: Key, value: string | undefined): { [K in Key]?: number } {
  const number = Number(value);
  const field: { [K in Key]?: number } = {};
  if (value !== undefined && Number.isFinite(number)) field[key] = number;
  return field;
}

function readBands(
  items: ReadonlyMap<string, string>,
  sunCorrected: boolean,
  satellite: string,
  day: string | undefined,
): readonly DocumentBand[] | null {
  const stated = Number(items.get("EARTH_SUN_DISTANCE"));
  const date = new Date(`${day ?? ""}T12:00:00Z`);
  const distanceAu = stated > 0.9 && stated < 1.1 ? stated : earthSunDistanceAu(date);
  const bands: DocumentBand[] = [];
  for (const [key, file] of items) {
    const id = /^FILE_NAME_BAND_(\d+)$/.exec(key)?.[1];
    if (id === undefined) continue;
    const value = (name: string) => {
      const text = items.get(`${name}_BAND_${id}`);
      const number = Number(text);
      return text !== undefined && Number.isFinite(number) ? number : null;
    };
    const irradiance = solarIrradiance(satellite, `B${id}`);
    // Products before Collection 1 state radiance only.
    const derived =
      irradiance === null || !Number.isFinite(distanceAu) ? null : reflectancePerRadiance(irradiance, distanceAu);
    const radianceMult = value("RADIANCE_MULT");
    const radianceAdd = value("RADIANCE_ADD");
    bands.push({
      ...EMPTY_BAND,
      file,
      index: 0,
      id: `B${id}`,
      radianceMult: sunCorrected ? null : radianceMult,
      radianceAdd: sunCorrected ? null : radianceAdd,
      reflectanceMult: value("REFLECTANCE_MULT") ?? times(radianceMult, derived),
      reflectanceAdd: value("REFLECTANCE_ADD") ?? times(radianceAdd, derived),
      sunCorrected,
    });
  }
  return bands.length === 0 ? null : bands;
}

function times(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a * b;
}

/** Key/value pairs of all groups; of a repeated key the first, which has the highest processing level. */
function parseMtl(content: string): ReadonlyMap<string, string> {
  const items = new Map<string, string>();
  if (content.length > MAX_CHARACTERS) return items;
  if (content.trimStart().startsWith("{")) {
    try {
      flatten(JSON.parse(content), items, 0);
    } catch {
      return new Map();
    }
    return items;
  }
  for (const match of content.matchAll(/^\s*([A-Z0-9_]+)\s*=\s*(.+?)\s*$/gm)) {
    const [, key = "", value = ""] = match;
    if (key !== "GROUP" && key !== "END_GROUP" && !items.has(key)) items.set(key, value.replaceAll('"', ""));
  }
  return items;
}

function flatten(value: unknown, items: Map<string, string>, depth: number): void {
  if (!isRecord(value) || depth > 4) return;
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === "string" || typeof entry === "number") {
      if (!items.has(key)) items.set(key, String(entry));
    } else flatten(entry, items, depth + 1);
  }
}

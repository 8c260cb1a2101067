import { storableText } from "@swath/kernel/text/storable-text";

/** Metadata of one band in the GDAL_METADATA tag. */
export interface GdalBandMetadata {
  readonly description?: string;
  readonly scale?: number;
  readonly offset?: number;
  readonly unit?: string;
  readonly colorInterpretation?: string;
  /** Other items of the band, whatever their domain. */
  readonly items: Readonly<Record<string, string>>;
}

export interface GdalMetadata {
  readonly items: Readonly<Record<string, string>>;
  /** By zero-based sample index. */
  readonly bands: ReadonlyMap<number, GdalBandMetadata>;
}

/** Longer texts are not metadata of a scene. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const MAX_ITEMS = 20_000;

const NO_METADATA: GdalMetadata = { items: {}, bands: new Map() };

/** Reads the `<Item name=… sample=… role=…>text</Item>` elements; anything else in the text is ignored. */
export function parseGdalMetadata(xml: string | null): GdalMetadata {
  if (xml === null || xml.length > MAX_CHARACTERS) return NO_METADATA;
  const items: Record<string, string> = {};
  const bands = new Map<number, MutableBand>();
  let found = 0;
  for (const match of xml.matchAll(/<Item\s([^<>]*)>([^<]*)<\/Item>/g)) {
    if (++found > MAX_ITEMS) break;
    const attributes = parseAttributes(match[1] ?? "");
    const name = attributes.get("name");
    if (name === undefined) continue;
    // GDAL escapes values before it serialises them, so they come escaped twice.
    const value = storableText(unescapeXml(unescapeXml(match[2] ?? "")));
    const sample = attributes.get("sample");
    if (sample === undefined) {
      items[name] ??= value;
      continue;
    }
    const index = Number(sample);
    if (!Number.isInteger(index) || index < 0) continue;
    let band = bands.get(index);
    if (band === undefined) bands.set(index, (band = { items: {} }));
    assign(band, name, attributes.get("role"), value);
  }
  return { items, bands };
}

type MutableBand = { -readonly [K in keyof GdalBandMetadata]: GdalBandMetadata[K] } & { items: Record<string, string> };

function assign(band: MutableBand, name: string, role: string | undefined, value: string): void {
  const number = Number(value);
  switch (role ?? "") {
    case "description":
      band.description = value;
      return;
    case "unittype":
      band.unit = value;
      return;
    case "colorinterp":
      band.colorInterpretation = value.toLowerCase();
      return;
    case "scale":
      if (Number.isFinite(number)) band.scale = number;
      return;
    case "offset":
      if (Number.isFinite(number)) band.offset = number;
      return;
    default:
      band.items[name] ??= value;
  }
}

function parseAttributes(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const match of text.matchAll(/([A-Za-z_]+)\s*=\s*"([^"]*)"/g))
    attributes.set(match[1] ?? "", unescapeXml(match[2] ?? ""));
  return attributes;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(\w{2,4}));/g, (whole, decimal, hex, name) => {
    if (typeof name === "string") return ENTITIES[name] ?? whole;
    const code = typeof decimal === "string" ? Number.parseInt(decimal, 10) : Number.parseInt(String(hex), 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}

/** Centre wavelength in nanometres from the item names that writers use (GDAL, ENVI, EnMAP, Earth Engine exports). */
export function wavelengthOf(items: Readonly<Record<string, string>>): number | null {
  const lower = new Map(Object.entries(items).map(([key, value]) => [key.toLowerCase(), value]));
  const micrometres = Number.parseFloat(lower.get("central_wavelength_um") ?? "");
  if (micrometres > 0) return micrometres * 1000;
  for (const key of ["wavelength", "center_wavelength", "central_wavelength", "centre_wavelength", "wavelength_nm"]) {
    const text = lower.get(key);
    if (text === undefined) continue;
    const value = Number.parseFloat(text);
    if (!(value > 0)) continue;
    const units = `${lower.get("wavelength_units") ?? ""} ${text}`.toLowerCase();
    if (/micro|\bum\b|µm|μm/.test(units)) return value * 1000;
    if (/nano|nm/.test(units) || key === "wavelength_nm") return value;
    // Without a unit: no imager has a band below 100 nm, and none in this use above 30 µm.
    return value < 100 ? value * 1000 : value;
  }
  return null;
}

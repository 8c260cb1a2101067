import type { BandRole } from "@swath/kernel/bands/band-role";

export interface SensorBand {
  readonly id: string;
  readonly role: BandRole;
  readonly wavelengthNm: number;
  readonly gsdM: number;
}

export interface Sensor {
  readonly id: string;
  /** Says from a file or product name whether it is of this sensor; the match gives the satellite. */
  readonly recognise: RegExp;
  readonly satellite: (match: RegExpExecArray) => string;
  readonly bands: readonly SensorBand[];
  /** Bands of a file that does not name them, by their number: the order in which products ship them. */
  readonly orders: Readonly<Record<number, readonly string[]>>;
  /** Reflectance of 16-bit products per pixel value, already divided by the sine of the sun's elevation; null when products state their own. */
  readonly reflectanceScale: number | null;
}

const optical = (rows: readonly (readonly [string, BandRole, number, number])[]): readonly SensorBand[] =>
  rows.map(([id, role, wavelengthNm, gsdM]) => ({ id, role, wavelengthNm, gsdM }));

const S2_L2A = ["B01", "B02", "B03", "B04", "B05", "B06", "B07", "B08", "B8A", "B09", "B11", "B12"];
/** Surface reflectance at 10 m as sen2r writes it: without B8A and B10. */
const S2_TEN_METRES = S2_L2A.filter((id) => id !== "B8A");
const S2_L1C = ["B01", "B02", "B03", "B04", "B05", "B06", "B07", "B08", "B8A", "B09", "B10", "B11", "B12"];

const LANDSAT_8_BANDS = optical([
  ["B1", "A", 443, 30],
  ["B2", "B", 482, 30],
  ["B3", "G", 561, 30],
  ["B4", "R", 655, 30],
  ["B5", "N", 865, 30],
  ["B6", "S1", 1609, 30],
  ["B7", "S2", 2201, 30],
  ["B8", "P", 590, 15],
  ["B9", "C", 1373, 30],
  ["B10", "T1", 10_895, 100],
  ["B11", "T2", 12_005, 100],
]);

const LANDSAT_7_BANDS = optical([
  ["B1", "B", 485, 30],
  ["B2", "G", 560, 30],
  ["B3", "R", 660, 30],
  ["B4", "N", 835, 30],
  ["B5", "S1", 1650, 30],
  ["B6", "T", 11_450, 120],
  ["B7", "S2", 2220, 30],
  ["B8", "P", 710, 15],
]);

/** Band tables of the sensors whose products name or order their bands; centre wavelengths as their operators publish them. */
export const SENSORS: readonly Sensor[] = [
  {
    id: "sentinel-2",
    recognise: /(?:^|[^a-z0-9])S2([ABC])?(?=$|[^a-z0-9]|2A|1C|L[12]|MSI)/i,
    satellite: (match) => `SENTINEL-2${(match[1] ?? "").toUpperCase()}`,
    bands: optical([
      ["B01", "A", 443, 60],
      ["B02", "B", 492, 10],
      ["B03", "G", 560, 10],
      ["B04", "R", 665, 10],
      ["B05", "RE1", 704, 20],
      ["B06", "RE2", 741, 20],
      ["B07", "RE3", 783, 20],
      ["B08", "N", 833, 10],
      ["B8A", "N2", 865, 20],
      ["B09", "WV", 945, 60],
      ["B10", "C", 1374, 60],
      ["B11", "S1", 1614, 20],
      ["B12", "S2", 2202, 20],
    ]),
    orders: { 11: S2_TEN_METRES, 12: S2_L2A, 13: S2_L1C },
    reflectanceScale: 1e-4,
  },
  {
    id: "landsat-8",
    recognise: /(?:^|[^a-z0-9])L[COT]0?([89])[_\d]/i,
    satellite: (match) => `LANDSAT-${match[1]}`,
    bands: LANDSAT_8_BANDS,
    orders: { 11: LANDSAT_8_BANDS.map((band) => band.id) },
    reflectanceScale: null,
  },
  {
    id: "landsat-7",
    recognise: /(?:^|[^a-z0-9])L[ET]0?([457])[_\d]/i,
    satellite: (match) => `LANDSAT-${match[1]}`,
    bands: LANDSAT_7_BANDS,
    orders: {},
    reflectanceScale: null,
  },
  {
    id: "planetscope-8",
    recognise: /AnalyticMS(?:_SR)?_8b/i,
    satellite: () => "PLANETSCOPE",
    bands: optical([
      ["B1", "A", 443, 3],
      ["B2", "B", 490, 3],
      ["B3", "G1", 531, 3],
      ["B4", "G", 565, 3],
      ["B5", "Y", 610, 3],
      ["B6", "R", 665, 3],
      ["B7", "RE1", 705, 3],
      ["B8", "N", 865, 3],
    ]),
    orders: { 8: ["B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8"] },
    reflectanceScale: 1e-4,
  },
  {
    id: "planetscope-4",
    recognise: /AnalyticMS|planetscope/i,
    satellite: () => "PLANETSCOPE",
    bands: optical([
      ["B1", "B", 485, 3],
      ["B2", "G", 545, 3],
      ["B3", "R", 630, 3],
      ["B4", "N", 820, 3],
    ]),
    orders: { 4: ["B1", "B2", "B3", "B4"] },
    reflectanceScale: 1e-4,
  },
  {
    id: "pleiades",
    recognise: /(?:PHR1[AB]|PNEO\d)/i,
    satellite: (match) => (match[0].toUpperCase().startsWith("PNEO") ? "PLEIADES-NEO" : "PLEIADES"),
    bands: optical([
      ["B0", "B", 490, 2],
      ["B1", "G", 560, 2],
      ["B2", "R", 650, 2],
      ["B3", "N", 840, 2],
    ]),
    // Ortho products are delivered red, green, blue, near infrared.
    orders: { 4: ["B2", "B1", "B0", "B3"] },
    reflectanceScale: null,
  },
  {
    id: "spot",
    recognise: /SPOT[-_]?([67])/i,
    satellite: (match) => `SPOT-${match[1]}`,
    bands: optical([
      ["B0", "B", 485, 6],
      ["B1", "G", 560, 6],
      ["B2", "R", 660, 6],
      ["B3", "N", 825, 6],
    ]),
    orders: { 4: ["B2", "B1", "B0", "B3"] },
    reflectanceScale: null,
  },
  {
    id: "worldview-2",
    recognise: /WV0?([23])/i,
    satellite: (match) => `WORLDVIEW-${match[1]}`,
    bands: optical([
      ["C", "A", 427, 2],
      ["B", "B", 478, 2],
      ["G", "G", 546, 2],
      ["Y", "Y", 608, 2],
      ["R", "R", 659, 2],
      ["RE", "RE1", 724, 2],
      ["N", "N", 833, 2],
      ["N2", "N2", 949, 2],
    ]),
    orders: { 4: ["B", "G", "R", "N"], 8: ["C", "B", "G", "Y", "R", "RE", "N", "N2"] },
    reflectanceScale: null,
  },
  {
    id: "sentinel-1",
    recognise: /(?:^|[^a-z0-9])S1([ABC])?(?=$|[^a-z0-9]|RTC|GRD)/i,
    satellite: (match) => `SENTINEL-1${(match[1] ?? "").toUpperCase()}`,
    bands: [
      { id: "VV", role: "VV", wavelengthNm: 55_465_763, gsdM: 10 },
      { id: "VH", role: "VH", wavelengthNm: 55_465_763, gsdM: 10 },
      { id: "HH", role: "HH", wavelengthNm: 55_465_763, gsdM: 10 },
      { id: "HV", role: "HV", wavelengthNm: 55_465_763, gsdM: 10 },
    ],
    orders: { 2: ["VV", "VH"] },
    reflectanceScale: null,
  },
];

/** Sensor ids that name the same table. */
const ALIASES: Readonly<Record<string, string>> = {
  "landsat-9": "landsat-8",
  "landsat-4": "landsat-7",
  "landsat-5": "landsat-7",
  planetscope: "planetscope-4",
  "pleiades-neo": "pleiades",
  "spot-6": "spot",
  "spot-7": "spot",
  "worldview-3": "worldview-2",
  "sentinel-2a": "sentinel-2",
  "sentinel-2b": "sentinel-2",
  "sentinel-2c": "sentinel-2",
  "sentinel-1a": "sentinel-1",
  "sentinel-1b": "sentinel-1",
  "sentinel-1c": "sentinel-1",
};

/** Sensor by id, platform name or alias ("Sentinel-2A", "LANDSAT_8"); null when there is no table. */
export function sensorById(name: string): Sensor | null {
  const id = name.trim().toLowerCase().replaceAll(/[_ ]/g, "-");
  return SENSORS.find((sensor) => sensor.id === (ALIASES[id] ?? id)) ?? null;
}

/** Sensor and satellite that a file or product name tells. */
export function sensorOfName(name: string): { readonly sensor: Sensor; readonly satellite: string } | null {
  for (const sensor of SENSORS) {
    const match = sensor.recognise.exec(name);
    if (match !== null) return { sensor, satellite: sensor.satellite(match) };
  }
  return null;
}

/** Bands by their normalised ids: catalogues ask for every band of every item. */
const TABLES = new WeakMap<Sensor, ReadonlyMap<string, SensorBand>>();

/** A band of the sensor by any spelling of its id: "B4", "b04", "SR_B4", "band 4", "B8A". */
export function sensorBand(sensor: Sensor, text: string): SensorBand | null {
  let byId = TABLES.get(sensor);
  if (byId === undefined) {
    byId = new Map(sensor.bands.map((band) => [normalise(band.id), band]));
    TABLES.set(sensor, byId);
  }
  return byId.get(normalise(text)) ?? null;
}

function normalise(text: string): string {
  return text
    .trim()
    .toUpperCase()
    .replace(/^(?:SR|ST|TOA|BOA|OLI|TIRS|ETM|TM)_/, "")
    .replace(/^BAND[ _]?/, "B")
    .replace(/^B0*(?=\d)/, "B");
}

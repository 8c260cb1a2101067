/** An acquisition time as a text states it. */
export interface StatedTime {
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly datetime: string;
  /** False when only the date (or month) is stated. */
  readonly hasTime: boolean;
}

/** Imaging from aircraft and satellites; years outside are serial numbers. */
const FIRST_YEAR = 1950;
const LAST_YEAR = 2100;

/** Metadata items that hold the time of acquisition, lower case, most specific first. */
const ITEMS = [
  "acquisition_datetime",
  "acquisitiondatetime",
  "acquisition_date",
  "acquisitiondate",
  "acquired",
  "sensing_time",
  "product_start_time",
  "datetime",
  "date_acquired",
  "satellite_acquisition_time",
  "imd.image.firstlinetime",
  "firstlinetime",
  "time_start",
  "date",
];

const SEPARATED = /(?<!\d)(\d{4})[-:/_.](\d{2})[-:/_.](\d{2})(?:[Tt _-]{1,2}(\d{2})[:_-]?(\d{2})[:_-]?(\d{2}))?/;
const COMPACT = /(?<!\d)(\d{4})(\d{2})(\d{2})(?:[Tt_-](\d{2})(\d{2})(\d{2}))?(?!\d)/g;
const YEAR_AND_DAY = /(?<!\d)(\d{4})(\d{3})(?!\d)/;
const MONTH = /(?<!\d)(\d{4})-(\d{2})(?!\d)/;

/** The time in free text: RFC 3339, TIFF ("2017:07:19 18:09:01") or a plain date. */
export function timeOfText(text: string): StatedTime | null {
  const match = SEPARATED.exec(text);
  if (match !== null) return stated(match);
  return firstCompact(text);
}

/** The time that metadata items of a file state; TIFFTAG_DATETIME is not among them, it is often the time of writing. */
export function timeOfItems(items: Readonly<Record<string, string>>): StatedTime | null {
  const lower = new Map(Object.entries(items).map(([key, value]) => [key.toLowerCase(), value]));
  for (const name of ITEMS) {
    const time = timeOfText(lower.get(name) ?? "");
    if (time !== null) return time;
  }
  return null;
}

/** The time in a file or product name, such as `S1A_IW_GRDH_20180716T004042`, `LS20010525` or `viirs_2013-01`. */
export function timeOfName(name: string): StatedTime | null {
  const separated = SEPARATED.exec(name);
  const time = (separated === null ? null : stated(separated)) ?? firstCompact(name);
  if (time !== null) return time;
  const landsat = /L[A-Z]\d{7}(\d{4})(\d{3})/i.exec(name) ?? YEAR_AND_DAY.exec(name);
  if (landsat !== null) {
    const day = ordinal(Number(landsat[1]), Number(landsat[2]));
    if (day !== null) return day;
  }
  const month = MONTH.exec(name);
  return month === null ? null : compose(month[1], month[2], "01");
}

function firstCompact(text: string): StatedTime | null {
  for (const match of text.matchAll(COMPACT)) {
    const time = stated(match);
    if (time !== null) return time;
  }
  return null;
}

function stated(match: RegExpMatchArray): StatedTime | null {
  return compose(match[1], match[2], match[3], match[4], match[5], match[6]) ?? compose(match[1], match[2], match[3]);
}

function ordinal(year: number, dayOfYear: number): StatedTime | null {
  if (dayOfYear < 1 || dayOfYear > 366) return null;
  const date = new Date(Date.UTC(year, 0, dayOfYear));
  if (date.getUTCFullYear() !== year) return null;
  const iso = date.toISOString();
  return compose(iso.slice(0, 4), iso.slice(5, 7), iso.slice(8, 10));
}

function compose(year = "", month = "", day = "", hour?: string, minute?: string, second?: string): StatedTime | null {
  const hasTime = hour !== undefined && minute !== undefined;
  const clock = hasTime ? `${hour}:${minute}:${second ?? "00"}` : "00:00:00";
  const iso = `${year}-${month}-${day}T${clock}.000Z`;
  const parsed = new Date(iso);
  const number = Number(year);
  if (number < FIRST_YEAR || number > LAST_YEAR || Number.isNaN(parsed.getTime()) || parsed.toISOString() !== iso)
    return null;
  return { datetime: `${year}-${month}-${day} ${clock}`, hasTime };
}

/** An instant as scenes write it: `YYYY-MM-DD HH:MM:SS`, UTC. */
export function formatSceneTime(date: Date): string {
  return date.toISOString().slice(0, 19).replace("T", " ");
}

/** RFC 3339 with any offset, or a form of `timeOfText`; null otherwise. */
export function parseDocumentTime(text: string): string | null {
  const parsed = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.trim()) ? new Date(text.trim().replace(" ", "T")) : null;
  if (parsed !== null && !Number.isNaN(parsed.getTime())) return formatSceneTime(parsed);
  return timeOfText(text)?.datetime ?? null;
}

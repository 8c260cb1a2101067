/** A report as its pages show it; plain data. Colours are 0 to 255, positions longitude and latitude. */
export interface ReportContent {
  readonly title: string;
  /** Paragraphs of the author. */
  readonly notes: readonly string[];
  /** `YYYY-MM-DD HH:MM:SS`, UTC; also the creation date of the file. */
  readonly createdAt: string;
  readonly overview: ReportOverview;
  readonly maps: readonly ReportMap[];
  readonly charts: readonly ReportChart[];
  /** Whose data was used, one line each. */
  readonly attributions: readonly string[];
}

export type LonLat = readonly [lonDeg: number, latDeg: number];

/** Width of the overview by its height, on the page and on the ground. */
export const OVERVIEW_ASPECT = 1.9;

export interface ReportOverview {
  /** They fill the overview, see `OVERVIEW_ASPECT`; `eastDeg` may exceed 180. */
  readonly bounds: readonly [westDeg: number, southDeg: number, eastDeg: number, northDeg: number];
  /** Outlines of land and of the waters within, a little beyond the bounds. */
  readonly land: readonly (readonly LonLat[])[];
  /** Outlines of the areas the maps show. */
  readonly areas: readonly (readonly LonLat[])[];
}

export interface ReportMap {
  readonly title: string;
  readonly subtitle: string;
  /** What the map shows, a sentence or two. */
  readonly description: string;
  /** PNG; null when the map has no valid pixel. */
  readonly picture: Uint8Array | null;
  /** PNG of what lies beneath, drawn pale, when the picture leaves most of it open; null for none. */
  readonly base: Uint8Array | null;
  /** Ground width of the picture at its middle, metres. */
  readonly widthM: number;
  readonly legend: ReportLegend | null;
  /** Rows of the table of statistics. */
  readonly statistics: readonly (readonly [name: string, value: string])[];
}

export type ReportLegend =
  | { readonly kind: "classes"; readonly classes: readonly { readonly name: string; readonly color: Color }[] }
  | {
      readonly kind: "ramp";
      readonly unit: string;
      /** Values along the ramp; `at` is 0 at its left end and 1 at its right one. */
      readonly ticks: readonly { readonly at: number; readonly value: number }[];
      /** Colours at equal steps from left to right. */
      readonly colors: readonly Color[];
    };

export type Color = readonly [red: number, green: number, blue: number];

/** Values over dates, one line per series. */
export interface ReportChart {
  /** Letters, digits and dashes: the name of its file of numbers. */
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  /** A sentence below the title, such as the gaps of the lines. */
  readonly remark?: string;
  /** Whether a table of the values follows the chart. */
  readonly isTabulated?: boolean;
  readonly series: readonly ReportLine[];
}

interface ReportLine {
  readonly name: string;
  readonly color: Color;
  readonly points: readonly ReportPoint[];
}

export interface ReportPoint {
  readonly date: string;
  readonly value: number;
  /** The line is interrupted before this point. */
  readonly isAfterGap?: boolean;
}

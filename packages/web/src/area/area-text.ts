import { nameInText } from "../format/name-in-text.ts";

const degrees = "Save the file in WGS 84 (EPSG:4326), with longitude before latitude.";

/** Texts of areas from files and pasted texts. */
export const areaText = {
  file: "Area from a file: GeoJSON, KML, GPX, shapefile, WKT",
  box: "There is no polygon in it: the box around its lines and points is taken.",
  tooLarge: (size: string, most: string) => `The file has ${size}, expected at most ${most}. Simplify its outlines.`,
  tooMany: (most: string) => `The file has more than ${most} positions. Simplify its outlines.`,
  tooDeep: "The file is nested too deeply.",
  doctype: "The file declares a document type (DOCTYPE), which is refused. Save it without.",
  empty: "There is no area in it: expected polygons, lines or points.",
  notNumbers: "A position has a coordinate that is no number.",
  notDegrees: (first: number, second: number) =>
    `${first}, ${second} are no degrees: the file is in another CRS. ${degrees}`,
  otherCrs: (name: string) => `The file is in the CRS ${nameInText(name)}. ${degrees}`,
  unreadable: (name: string, reason: string) => `${nameInText(name)} cannot be read: ${reason}.`,
  unknownKind: "expected GeoJSON, KML, KMZ, GPX, WKT, or a zipped shapefile",
  noShape: "the archive has no .shp and no .kml",
  notText: "expected coordinates, WKT, GeoJSON, KML or GPX",
} as const;

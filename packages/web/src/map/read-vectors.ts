import GeoJSON from "ol/format/GeoJSON.js";
import GPX from "ol/format/GPX.js";
import KML from "ol/format/KML.js";
import WKT from "ol/format/WKT.js";
import { parseXml } from "./parse-xml.ts";

/** GeoJSON features of a KML, GPX or WKT text, in degrees. */
export function readVectors(kind: "gpx" | "kml" | "wkt", content: string): readonly object[] {
  const features =
    kind === "wkt"
      ? new WKT().readFeatures(content.replace(/^\s*SRID=\d+;/i, ""))
      : kind === "kml"
        ? new KML({ extractStyles: false }).readFeatures(parseXml(content))
        : new GPX().readFeatures(parseXml(content));
  const writer = new GeoJSON();
  return features.map((feature) => writer.writeFeatureObject(feature));
}

import type { WmtsQuery } from "@swath/contract/features/maps/tilesets-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTileset } from "./map-tileset.ts";
import { layerOf } from "./wmts-capabilities.ts";

/** A tile by key-value pairs. */
export interface WmtsTile {
  readonly fileName: string;
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

const WHOLE = /^\d{1,10}$/u;

/** Null for a request of the capabilities. @throws {ServiceError} BAD-REQUEST naming the faulty pair */
export function readWmts(query: WmtsQuery, tileset: MapTileset): WmtsTile | null {
  const pairs = new Map(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value]));
  const service = pairs.get("service") ?? "WMTS";
  const request = pairs.get("request") ?? "GetCapabilities";
  // QGIS asks an address of WMTS for the capabilities of WMS first, and reads the capabilities of WMTS.
  const isKnown = ["WMTS", ...(request === "GetCapabilities" ? ["WMS"] : [])].includes(service.toUpperCase());
  if (!isKnown) throw faulty("SERVICE", service, "WMTS");
  if (request === "GetCapabilities") return null;
  if (request !== "GetTile") throw faulty("REQUEST", request, "GetCapabilities or GetTile");
  const version = pairs.get("version") ?? "1.0.0";
  if (version !== "1.0.0") throw faulty("VERSION", version, "1.0.0");
  const matrixSet = pairs.get("tilematrixset");
  if (matrixSet !== tileset.pyramid.id) throw faulty("TILEMATRIXSET", matrixSet, tileset.pyramid.id);
  const format = pairs.get("format") ?? "image/png";
  if (format !== "image/png") throw faulty("FORMAT", format, "image/png");
  const layers = tileset.pictures.map(layerOf);
  const layer = pairs.get("layer");
  const fileName = tileset.pictures[layers.indexOf(layer ?? "")];
  if (fileName === undefined) throw faulty("LAYER", layer, layers.join(", "));
  const whole = (name: string): number => {
    const text = pairs.get(name);
    if (text === undefined || !WHOLE.test(text)) throw faulty(name.toUpperCase(), text, "a whole number");
    return Number(text);
  };
  return { fileName, z: whole("tilematrix"), x: whole("tilecol"), y: whole("tilerow") };
}

function faulty(name: string, got: string | undefined, expected: string): ServiceError {
  const value = got === undefined ? "is missing" : `is "${got.slice(0, 64)}"`;
  return new ServiceError("BAD-REQUEST", `${name} ${value}, expected ${expected}`);
}

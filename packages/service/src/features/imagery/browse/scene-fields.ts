import type { RawBuilder } from "kysely";
import { piece } from "./piece.ts";

export type FieldType = "text" | "texts" | "number" | "instant" | "boolean";

/** A property of scenes that conditions and orders may name. */
export interface SceneField {
  readonly type: FieldType;
  /** In the words of `browseScenes`: `s` scenes, `d` scene_documents, `c` datasets by name, `o` overlaps, `h` holdings. */
  readonly sql: RawBuilder<unknown>;
  /** Data that it needs beside the row of the scene. */
  readonly needs: "row" | "document" | "overlap" | "holding";
}

function row(type: FieldType, expression: RawBuilder<unknown>): SceneField {
  return { type, sql: expression, needs: "row" };
}

function document(type: FieldType, expression: RawBuilder<unknown>): SceneField {
  return { type, sql: expression, needs: "document" };
}

function text(member: string): SceneField {
  return document("text", piece`(d.document ->> ${piece.lit(member)})`);
}

function number(member: string): SceneField {
  return document("number", piece`(d.document ->> ${piece.lit(member)})::double precision`);
}

/** Fields by the names of STAC and its extensions, in the units of these. */
export const SCENE_FIELDS: Readonly<Record<string, SceneField>> = {
  id: row("text", piece`s.scene_id`),
  collection: row("text", piece`c.name`),
  datetime: row("instant", piece`s.acquired_at`),
  title: text("foreignId"),
  platform: text("satellite"),
  mission: text("satellite"),
  instruments: document("texts", piece`array_remove(array[lower(d.document ->> 'sensor')], null)`),
  gsd: document(
    "number",
    piece`(select min((b ->> 'gsd')::double precision) from jsonb_array_elements(d.document -> 'bands') as b)`,
  ),
  "eo:cloud_cover": document(
    "number",
    piece`round(((d.document ->> 'cloudCover')::numeric * 100), 6)::double precision`,
  ),
  "view:off_nadir": number("offNadir"),
  "view:azimuth": number("satelliteAzimuth"),
  "view:sun_azimuth": number("sunAzimuth"),
  "view:sun_elevation": number("sunElevation"),
  "sat:orbit_state": text("orbitPass"),
  "sat:relative_orbit": number("relativeOrbitNumberStart"),
  "sar:instrument_mode": text("mode"),
  "sar:observation_direction": text("lookSide"),
  "proj:epsg": document("number", piece`nullif((d.document ->> 'crsEpsg')::double precision, 0)`),
  "proj:code": document("text", piece`('EPSG:' || nullif(d.document ->> 'crsEpsg', '0'))`),
  "swath:area_km2": row("number", piece`s.area_km2`),
  "swath:bands": document(
    "texts",
    piece`array(select b -> 'names' ->> 0 from jsonb_array_elements(d.document -> 'bands') as b)`,
  ),
  "swath:ingested": row("boolean", piece`s.ingested`),
  "swath:overlap": { type: "number", sql: piece`o.overlap`, needs: "overlap" },
  "swath:credits_per_km2": { type: "number", sql: piece`h.credits_per_km2`, needs: "holding" },
  "swath:allocated_ratio": { type: "number", sql: piece`h.allocated_ratio`, needs: "holding" },
};

/** A field by its name, also as `properties.NAME`; null when there is none. */
export function sceneField(name: string): SceneField | null {
  const plain = name.startsWith("properties.") ? name.slice("properties.".length) : name;
  return Object.hasOwn(SCENE_FIELDS, plain) ? (SCENE_FIELDS[plain] ?? null) : null;
}

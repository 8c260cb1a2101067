import type { Scene } from "@swath/kernel/scenes/scene";
import type { BrowsedScene } from "../imagery/browse/browse-scenes.ts";
import type { Collection } from "./collections.ts";
import { collectionHref, GEOJSON_TYPE, itemHref, JSON_TYPE, rootOf } from "./link.ts";
import { boxOf, outlineOf } from "./outline.ts";

const EXTENSIONS = {
  eo: "https://stac-extensions.github.io/eo/v2.0.0/schema.json",
  projection: "https://stac-extensions.github.io/projection/v1.2.0/schema.json",
  sat: "https://stac-extensions.github.io/sat/v1.0.0/schema.json",
  view: "https://stac-extensions.github.io/view/v1.0.0/schema.json",
} as const;

/** The STAC 1.1.0 item of a scene. */
export function itemDocument(
  found: BrowsedScene,
  collection: Collection,
  baseUrl: string,
): Readonly<Record<string, unknown>> {
  const { scene } = found;
  const properties = itemProperties(found);
  const names = Object.keys(properties);
  const self = itemHref(baseUrl, collection.id, scene.sceneId);
  const home = collectionHref(baseUrl, collection.id);
  const has = (prefix: string): boolean => names.some((name) => name.startsWith(prefix));
  return {
    type: "Feature",
    stac_version: "1.1.0",
    stac_extensions: [
      ...(has("eo:") ? [EXTENSIONS.eo] : []),
      ...(has("proj:") ? [EXTENSIONS.projection] : []),
      ...(has("sat:") ? [EXTENSIONS.sat] : []),
      ...(has("view:") ? [EXTENSIONS.view] : []),
    ],
    id: scene.sceneId,
    collection: collection.id,
    geometry: outlineOf(scene.footprint),
    bbox: boxOf(scene.footprint),
    properties,
    assets: assetsOf(scene, collection, baseUrl),
    links: [
      { rel: "self", href: self, type: GEOJSON_TYPE },
      { rel: "root", href: rootOf(baseUrl), type: JSON_TYPE },
      { rel: "parent", href: home, type: JSON_TYPE },
      { rel: "collection", href: home, type: JSON_TYPE },
    ],
  };
}

function defined(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function itemProperties({ scene, ingested, overlap }: BrowsedScene): Readonly<Record<string, unknown>> {
  const gsds = scene.bands.map(({ gsd }) => gsd).filter((gsd) => gsd > 0);
  return defined({
    datetime: `${scene.datetime.replace(" ", "T")}Z`,
    title: scene.foreignId,
    platform: scene.satellite,
    mission: scene.satellite,
    instruments: scene.sensor === undefined ? undefined : [scene.sensor.toLowerCase()],
    gsd: gsds.length === 0 ? undefined : Math.min(...gsds),
    // A ratio of the interface; two decimals more than its own keep the share exact.
    "eo:cloud_cover": scene.cloudCover === undefined ? undefined : Number((scene.cloudCover * 100).toFixed(6)),
    "view:off_nadir": scene.offNadir,
    "view:azimuth": scene.satelliteAzimuth,
    "view:sun_azimuth": scene.sunAzimuth,
    "view:sun_elevation": scene.sunElevation,
    "sat:orbit_state": scene.orbitPass,
    "sat:relative_orbit": scene.relativeOrbitNumberStart,
    "sar:instrument_mode": scene.mode,
    "sar:observation_direction": scene.lookSide,
    // Old GDAL reads the number only, new clients the code only.
    "proj:code": scene.crsEpsg === 0 ? undefined : `EPSG:${scene.crsEpsg}`,
    "proj:epsg": scene.crsEpsg === 0 ? undefined : scene.crsEpsg,
    "swath:bands": scene.bands.map(({ names }) => names[0] ?? ""),
    "swath:area_km2": scene.areaKm2,
    "swath:ingested": ingested,
    "swath:overlap": overlap ?? undefined,
  });
}

function assetsOf(scene: Scene, { listing }: Collection, baseUrl: string): Readonly<Record<string, unknown>> {
  if (!listing.thumbnail) return {};
  return {
    thumbnail: {
      href: `${baseUrl}/imagery/thumbnail?scene_id=${encodeURIComponent(scene.sceneId)}`,
      type: "image/jpeg",
      title: "Thumbnail",
      roles: ["thumbnail"],
    },
  };
}

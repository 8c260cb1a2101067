import type { BrowsedScene } from "../imagery/browse/browse-scenes.ts";
import type { Collection } from "./collections.ts";
import { defined } from "./defined.ts";
import { itemAssets } from "./item-assets.ts";
import { holdsWhole, type ItemView } from "./item-view.ts";
import { collectionHref, GEOJSON_TYPE, itemHref, JSON_TYPE, rootOf, type Link } from "./link.ts";
import { MAP_LINKS_EXTENSION } from "./map-links.ts";
import { boxOf, outlineOf } from "./outline.ts";

/** By the prefix of their members. */
const EXTENSIONS = {
  eo: "https://stac-extensions.github.io/eo/v2.0.0/schema.json",
  file: "https://stac-extensions.github.io/file/v2.1.0/schema.json",
  order: "https://stac-extensions.github.io/order/v1.1.0/schema.json",
  proj: "https://stac-extensions.github.io/projection/v1.2.0/schema.json",
  raster: "https://stac-extensions.github.io/raster/v2.0.0/schema.json",
  sat: "https://stac-extensions.github.io/sat/v1.0.0/schema.json",
  view: "https://stac-extensions.github.io/view/v1.0.0/schema.json",
} as const;

/**
 * The STAC 1.1.0 item of a scene as its reader sees it.
 *
 * @param maps links to maps of the scene
 */
export function itemDocument(
  found: BrowsedScene,
  collection: Collection,
  view: ItemView,
  maps: readonly Link[] = [],
): Readonly<Record<string, unknown>> {
  const { scene } = found;
  const { baseUrl } = view;
  const properties = { ...itemProperties(found), ...orderProperties(found, collection, view) };
  const assets = itemAssets(found, collection, view);
  const self = itemHref(baseUrl, collection.id, scene.sceneId);
  const home = collectionHref(baseUrl, collection.id);
  return {
    type: "Feature",
    stac_version: "1.1.0",
    stac_extensions: [...extensionsOf(properties, assets), ...(maps.length > 0 ? [MAP_LINKS_EXTENSION] : [])],
    id: scene.sceneId,
    collection: collection.id,
    geometry: outlineOf(scene.footprint),
    bbox: boxOf(scene.footprint),
    properties,
    assets,
    links: [
      { rel: "self", href: self, type: GEOJSON_TYPE },
      { rel: "root", href: rootOf(baseUrl), type: JSON_TYPE },
      { rel: "parent", href: home, type: JSON_TYPE },
      { rel: "collection", href: home, type: JSON_TYPE },
      ...maps,
    ],
  };
}

/** The extensions whose members an item has, in the order of their prefixes. */
function extensionsOf(properties: object, assets: object): readonly string[] {
  const prefixes = new Set<string>();
  addPrefixes(prefixes, properties);
  addPrefixes(prefixes, assets);
  return Object.entries(EXTENSIONS).flatMap(([prefix, url]) => (prefixes.has(prefix) ? [url] : []));
}

/** The prefixes of all members, at every depth. */
function addPrefixes(prefixes: Set<string>, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const end = name.indexOf(":");
    if (end > 0) prefixes.add(name.slice(0, end));
    addPrefixes(prefixes, member);
  }
}

/** Price and holding; whether the pixels can be read now or have to be ordered. */
function orderProperties(
  found: BrowsedScene,
  { listing }: Collection,
  view: ItemView,
): Readonly<Record<string, unknown>> {
  const holding = view.holdings.get(found.scene.sceneId);
  const isHeld = found.ingested && holdsWhole(found, view);
  const orderable = listing.exportable || listing.downloadable ? "orderable" : undefined;
  return defined({
    "order:status": isHeld ? "succeeded" : orderable,
    ...(holding === undefined || !view.showsPrices
      ? {}
      : {
          "swath:credits_per_km2": holding.creditsPerKm2,
          // Rounded down: 1 is a whole scene.
          "swath:allocated_ratio": Math.floor(holding.heldRatio * 1e6) / 1e6,
        }),
  });
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

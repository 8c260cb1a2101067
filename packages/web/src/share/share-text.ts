import { nameInText } from "../format/name-in-text.ts";

/** Texts of sharing. */
export const shareText = {
  title: "Share",
  close: "Close",
  none: "Make a map first. Then anyone with a link sees it, without an account.",
  about:
    "Anyone with the link sees this map, without an account and without anything else of yours. It ends, and you can revoke it.",
  map: "Map",
  ends: "Link ends after",
  lifetimes: [
    [86_400, "1 day"],
    [7 * 86_400, "7 days"],
    [30 * 86_400, "30 days"],
    [90 * 86_400, "90 days"],
    [365 * 86_400, "1 year"],
  ] as readonly (readonly [seconds: number, name: string])[],
  name: "Name, for your list",
  make: "Make a link",
  until: (day: string, time: string) => `Works until ${day} ${time} UTC`,
  page: "Page of the map",
  embed: "Frame for a web page",
  tiles: "Tiles (XYZ)",
  tileJson: "TileJSON",
  wmts: "WMTS",
  geotiff: "GeoTIFF",
  copy: (name: string) => `Copy: ${name}`,
  copied: "Copied",
  qgis: "Open in QGIS",
  qgisTiles: (zoom: number) =>
    `Layer, Add Layer, Add XYZ Layer, New: paste the address of the tiles. Least zoom ${zoom}, tile resolution high (512 × 512).`,
  qgisGeotiff: "Layer, Add Layer, Add Raster Layer, Protocol HTTP: paste the address of the GeoTIFF for its values.",
  view: "This view of the console",
  viewAbout: "Maps, area and place of the map. A reader without an account sees the maps.",
  viewEnds: "By links that end and can be revoked",
  copyView: "Copy the link to this view",
  viewCopied: "The link is copied",
  links: "Your links",
  noLinks: "No link of yours works at the moment.",
  revokeShort: "Revoke",
  revoke: (name: string) => `Revoke ${name}`,
  revoked: (name: string) => `${nameInText(name)} is revoked.`,
} as const;

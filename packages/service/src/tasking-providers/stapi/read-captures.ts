import { extentArea } from "@swath/kernel/geometry/extent";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { footprintOfItem } from "../../sources/stac/item-footprint.ts";
import type { Json } from "../../sources/stac/stac-exchange.ts";
import type { Delivery, SubmittedOrder, ToldCapture } from "../tasking-provider.ts";
import { assetOf, deliveredOf, nameOfAddress, type Delivered } from "./delivered-files.ts";
import { downloadFile } from "./download-file.ts";
import { parseInstant } from "./interval.ts";
import { coverageOf } from "./opportunity-window.ts";
import type { StapiOrder, StapiStatus } from "./order-document.ts";
import { ask, mayAsk, recordOf, textOf, type StapiPeer } from "./stapi-peer.ts";

/** The captures of an order: one for each STAC item or image that its links and assets lead to. */
export async function readCaptures(
  peer: StapiPeer,
  order: SubmittedOrder,
  told: StapiOrder,
  history: readonly StapiStatus[],
  from: URL,
  signal: AbortSignal,
): Promise<readonly ToldCapture[]> {
  const captures = new Map<string, ToldCapture>();
  for (const delivered of deliveredOf(told, history, peer.settings, from)) {
    if (!mayAsk(peer, delivered.url)) continue;
    const capture =
      delivered.kind === "file" ? captureOfFile(peer, delivered) : await captureOfItem(peer, order, delivered, signal);
    if (capture !== null && !captures.has(capture.captureId)) captures.set(capture.captureId, capture);
  }
  return [...captures.values()];
}

function captureOfFile(peer: StapiPeer, { url, toldMs }: Delivered): ToldCapture {
  const captureId = nameOfAddress(url);
  return {
    captureId,
    status: "PUBLISHED",
    stripId: captureId,
    atMs: toldMs,
    cloudCover: null,
    coverageRatio: null,
    offNadirDeg: null,
    footprint: null,
    foreignSceneTypes: [peer.settings.product],
    delivery: deliveryFrom(peer, url, captureId, null),
  };
}

/** Null while the item is not there. */
async function captureOfItem(
  peer: StapiPeer,
  order: SubmittedOrder,
  { url, toldMs }: Delivered,
  signal: AbortSignal,
): Promise<ToldCapture | null> {
  const answer = await ask(peer, { method: "GET", url, body: null }, signal, { absent: [404] });
  if (answer === null) return null;
  const item = answer.json;
  const properties = recordOf(item["properties"]);
  const captureId = textOf(item["id"], 200) ?? nameOfAddress(url);
  const asset = assetOf(item, peer.settings);
  const fileUrl = asset === null ? null : resolved(peer, asset.href, answer.from);
  const footprint = footprintOfItem(item);
  const cloudPercent = numberOf(properties["eo:cloud_cover"], 100);
  return {
    captureId,
    status: fileUrl === null ? "PROCESSING" : "PUBLISHED",
    stripId: textOf(properties["pl:strip_id"], 200) ?? captureId,
    atMs: parseInstant(properties["datetime"]) ?? parseInstant(properties["start_datetime"]) ?? toldMs,
    cloudCover: cloudPercent === null ? null : cloudPercent / 100,
    coverageRatio: footprint === null ? null : coverageOfOrder(order, footprint),
    offNadirDeg: numberOf(properties["view:off_nadir"], 90),
    footprint,
    foreignSceneTypes: [textOf(item["collection"], 100) ?? peer.settings.product],
    delivery:
      fileUrl === null || asset === null ? null : deliveryFrom(peer, fileUrl, captureId, withAsset(item, asset.key)),
  };
}

/** The item with the one asset that is ingested: the bands of others are not in the file. */
function withAsset(item: Json, key: string): Json {
  const assets = recordOf(item["assets"]);
  return { ...item, assets: { [key]: assets[key] } };
}

function deliveryFrom(peer: StapiPeer, url: URL, captureId: string, document: Json | null): Delivery {
  const name = `${captureId.replaceAll(/[^A-Za-z0-9_-]+/gu, "-").slice(0, 100)}.geotiff`;
  return {
    kind: "file",
    name,
    document,
    write: (folder, signal) => downloadFile(peer, url, folder, name, signal),
  };
}

/** The address of an asset as the configuration rewrites it. Null for addresses that may not be asked. */
function resolved(peer: StapiPeer, href: string, from: URL): URL | null {
  const rule = peer.settings.rewriteHrefs?.find(({ from: start }) => href.startsWith(start));
  const address = rule === undefined ? href : rule.to + href.slice(rule.from.length);
  if (!URL.canParse(address, from)) return null;
  const url = new URL(address, from);
  return mayAsk(peer, url) ? url : null;
}

function coverageOfOrder({ geometry }: SubmittedOrder, footprint: MultiPolygon): number | null {
  const area = extentArea(geometry);
  return area === null ? null : coverageOf(area, footprint);
}

function numberOf(value: unknown, most: number): number | null {
  return typeof value === "number" && value >= 0 && value <= most ? value : null;
}

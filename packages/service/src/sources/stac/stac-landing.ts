import { ServiceError } from "@swath/kernel/errors/service-error";
import { displayUrl } from "@swath/raster/remote/host-rules";
import { getDocument, type StacPeer } from "./stac-exchange.ts";
import { linksOf } from "./stac-links.ts";

/** The search of a STAC API, from its landing page. */
export interface Landing {
  readonly searchUrl: URL;
  /** Whether the search takes POST. */
  readonly post: boolean;
  readonly canSort: boolean;
  readonly canQuery: boolean;
}

export async function readLanding(peer: StacPeer, root: URL, signal: AbortSignal): Promise<Landing> {
  const found = await getDocument(peer, root, signal);
  if (found === null) {
    throw new ServiceError(
      "SERVICE-UNAVAILABLE",
      `${peer.name}: ${displayUrl(root)} answered 404, expected a STAC API`,
    );
  }
  const { json, from } = found;
  const searches = linksOf(json).filter(({ rel }) => rel === "search");
  const [first] = searches;
  const searchUrl = new URL(first?.href ?? "search", first === undefined ? root : from);
  let conforms = texts(json["conformsTo"]);
  const conformance = linksOf(json).find(({ rel }) => rel === "conformance" || rel.endsWith("/conformance"));
  if (conforms.length === 0 && conformance !== undefined) {
    const document = await getDocument(peer, new URL(conformance.href, from), signal);
    conforms = texts(document?.json["conformsTo"]);
  }
  const has = (feature: string): boolean => conforms.some((one) => one.includes(`item-search#${feature}`));
  const methods = searches.map(({ method }) => method);
  return {
    searchUrl,
    post: methods.length === 0 || methods.some((method) => method === null || method === "POST"),
    canSort: has("sort"),
    canQuery: has("query"),
  };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

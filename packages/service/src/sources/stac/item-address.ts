import type { CatalogueItem } from "./item-scene.ts";
import type { ItemFiles } from "./item-files.ts";

/** The address of an asset. Null for addresses that are neither http nor rewritten to it. */
export function resolveHref(
  { config, root }: Pick<ItemFiles, "config" | "root">,
  item: CatalogueItem,
  href: string,
): URL | null {
  const rule = (config.rewriteHrefs ?? []).find(({ from }) => href.startsWith(from));
  const address = rule === undefined ? href : rule.to + href.slice(rule.from.length);
  const base = baseOf(item, root);
  if (!URL.canParse(address, base)) return null;
  const url = new URL(address, base);
  return url.protocol === "http:" || url.protocol === "https:" ? url : null;
}

/** Relative addresses are relative to the item itself. */
function baseOf({ item, collection, itemId }: CatalogueItem, root: URL): URL {
  const links: unknown = item["links"];
  const self = Array.isArray(links)
    ? links.find((link: unknown): link is { rel: "self"; href: string } => isSelfLink(link))
    : undefined;
  if (self !== undefined && URL.canParse(self.href)) return new URL(self.href);
  const folder = new URL(root);
  if (!folder.pathname.endsWith("/")) folder.pathname += "/";
  return new URL(`collections/${encodeURIComponent(collection)}/items/${encodeURIComponent(itemId)}`, folder);
}

function isSelfLink(link: unknown): link is { readonly rel: "self"; readonly href: string } {
  return (
    typeof link === "object" &&
    link !== null &&
    "rel" in link &&
    link.rel === "self" &&
    "href" in link &&
    typeof link.href === "string"
  );
}

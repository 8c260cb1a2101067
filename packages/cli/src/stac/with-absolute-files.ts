/** The item with absolute addresses of its files. Relative ones are relative to `base`. */
export function withAbsoluteFiles(item: unknown, base: string): unknown {
  if (!isRecord(item) || !isRecord(item["assets"])) return item;
  const assets = Object.entries(item["assets"]).map(([key, asset]) => [key, absoluteAsset(asset, base)]);
  return { ...item, assets: Object.fromEntries(assets) };
}

function absoluteAsset(asset: unknown, base: string): unknown {
  if (!isRecord(asset) || typeof asset["href"] !== "string") return asset;
  const { href } = asset;
  return URL.canParse(href) || !URL.canParse(href, base) ? asset : { ...asset, href: new URL(href, base).href };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

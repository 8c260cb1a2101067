import { createHostRules, type HostRules } from "@swath/raster/remote/host-rules";
import { Type, type Static } from "typebox";
import { connectionSettings } from "../stac/config.ts";

/** Hosts of the files of registered items, and how they are asked. */
export const ItemFilesSettings = Type.Object(connectionSettings, {
  additionalProperties: false,
  description: "Hosts whose files items of /stac may name. Without hosts no item is registered.",
});
export type ItemFilesSettings = Static<typeof ItemFilesSettings>;

/** Addresses of files that items may name; plain data, for threads. */
export type ItemHosts = Pick<ItemFilesSettings, "hosts" | "rewriteHrefs">;

/** Tells the address of a file from its text in an item. */
export interface ItemAddresses {
  /** @throws {RasterError} unreachable where the operator does not allow the host */
  readonly require: (href: string) => URL;
  /** Whether `require` answers an address. */
  readonly allows: (href: string) => boolean;
}

export function itemAddresses({ hosts = [], rewriteHrefs = [] }: ItemHosts): ItemAddresses {
  const rules: HostRules = createHostRules({ hosts });
  const addressOf = (href: string): URL | null => {
    const rule = rewriteHrefs.find(({ from }) => href.startsWith(from));
    const address = rule === undefined ? href : rule.to + href.slice(rule.from.length);
    return URL.canParse(address) ? new URL(address) : null;
  };
  const allowed = allowedOrigins(rules);
  return {
    allows(href) {
      const rule = rewriteHrefs.find(({ from }) => href.startsWith(from));
      const verdict = rule === undefined ? allowed(href) : null;
      if (verdict !== null) return verdict;
      const url = addressOf(href);
      return url !== null && rules.allows(url);
    },
    require(href) {
      const url = addressOf(href);
      if (url === null) throw new RangeError(`"${href.slice(0, 100)}" is no absolute address`);
      rules.check(url);
      return url;
    },
  };
}

/** Scheme and host of a plain address, without a user. */
const ORIGIN = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?(?=\/)/u;
const MAX_KEPT = 1000;

/** Verdicts on origins, which most files of a catalogue share; null for an address of another form. */
function allowedOrigins(rules: HostRules): (href: string) => boolean | null {
  const kept = new Map<string, boolean>();
  return (href) => {
    const origin = ORIGIN.exec(href)?.[0];
    if (origin === undefined) return null;
    const known = kept.get(origin);
    if (known !== undefined) return known;
    const verdict = URL.canParse(origin) && rules.allows(new URL(origin));
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(origin, verdict);
    return verdict;
  };
}

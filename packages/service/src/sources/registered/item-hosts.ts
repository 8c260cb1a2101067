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
  /** Null where `require` throws. */
  readonly find: (href: string) => URL | null;
}

export function itemAddresses({ hosts = [], rewriteHrefs = [] }: ItemHosts): ItemAddresses {
  const rules: HostRules = createHostRules({ hosts });
  const addressOf = (href: string): URL | null => {
    const rule = rewriteHrefs.find(({ from }) => href.startsWith(from));
    const address = rule === undefined ? href : rule.to + href.slice(rule.from.length);
    return URL.canParse(address) ? new URL(address) : null;
  };
  return {
    find(href) {
      const url = addressOf(href);
      return url !== null && rules.allows(url) ? url : null;
    },
    require(href) {
      const url = addressOf(href);
      if (url === null) throw new RangeError(`"${href.slice(0, 100)}" is no absolute address`);
      rules.check(url);
      return url;
    },
  };
}

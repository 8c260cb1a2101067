import { isPrivateAddress, type HostRules } from "@swath/raster/remote/host-rules";
import { RasterError } from "@swath/raster/raster-error";

/**
 * Which addresses webhooks may post to: any public one by https, and the hosts that the operator lists, with their
 * scheme and port alone. A name is judged by the address that is connected to.
 *
 * @param listed origins such as `http://localhost:9000`; a host without a scheme is https
 * @throws {RangeError} when an entry is no origin
 */
export function createReceiverRules(listed: readonly string[]): HostRules {
  const origins = new Map<string, Set<string>>();
  for (const entry of listed) {
    const { hostname, origin } = originOf(entry);
    origins.set(hostname, (origins.get(hostname) ?? new Set()).add(origin));
  }
  const faultOf = (url: URL): string | null => {
    if (url.username !== "" || url.password !== "") return "it carries credentials";
    const allowed = origins.get(url.hostname);
    if (allowed !== undefined) return allowed.has(url.origin) ? null : `expected ${[...allowed].join(" or ")}`;
    if (url.protocol !== "https:") return "expected https";
    const literal = /^\[.*\]$|^[\d.]+$/u.test(url.hostname) ? url.hostname.replaceAll(/[[\]]/gu, "") : null;
    return literal !== null && isPrivateAddress(literal) ? "its address is private" : null;
  };
  return {
    allows: (url) => faultOf(url) === null,
    check(url) {
      const fault = faultOf(url);
      if (fault !== null) throw new RasterError("unreachable", `${url.origin} takes no webhooks: ${fault}`);
    },
    allowsAddress: (host, address) => !isPrivateAddress(address) || origins.has(host) || origins.has(`[${host}]`),
  };
}

function originOf(entry: string): URL {
  const text = /^https?:\/\//iu.test(entry) ? entry : `https://${entry}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && url.pathname === "/" && url.search === "" && url.username === "") return url;
  throw new RangeError(`"${entry}" is no host, expected such as hooks.example or http://localhost:9000`);
}

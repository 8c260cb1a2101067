import { BlockList, isIP } from "node:net";
import { RasterError } from "../raster-error.ts";

export interface HostRulesConfig {
  /** `example.com`, `*.example.com`, `host:8443`, `http://host`, `[::1]:80`; https unless `http://` is written. */
  readonly hosts: readonly string[];
  /** Names that may resolve to private addresses. Literal private addresses in `hosts` need no entry here. */
  readonly privateHosts?: readonly string[];
}

/** Which hosts may be asked. Everything that is not listed is refused. */
export interface HostRules {
  /** @throws {RasterError} unreachable naming the part of the address that is not allowed */
  check(url: URL): void;
  allows(url: URL): boolean;
  /** Whether a connection to this host may use this address, to which its name resolved. */
  allowsAddress(host: string, address: string): boolean;
}

interface Pattern {
  readonly scheme: "http:" | "https:";
  readonly host: string;
  readonly wildcard: boolean;
  /** Null: the scheme's own. */
  readonly port: string | null;
}

/** Loopback, private, link-local, shared, documentation, multicast and reserved ranges (IANA special-purpose registries). */
const PRIVATE_V4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];
const PRIVATE_V6: readonly (readonly [string, number])[] = [
  ["::", 128],
  ["::1", 128],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];

const PRIVATE = new BlockList();
for (const [network, prefix] of PRIVATE_V4) {
  PRIVATE.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of PRIVATE_V6) PRIVATE.addSubnet(network, prefix, "ipv6");

/** Whether an address is not one of the public internet. Texts that are no addresses count as private. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  if (family === 4) return PRIVATE.check(address, "ipv4");
  // An IPv4 address in IPv6 clothes is judged as what it is.
  const mapped = mappedV4(address);
  return mapped === null ? PRIVATE.check(address, "ipv6") : PRIVATE.check(mapped, "ipv4");
}

function mappedV4(address: string): string | null {
  const canonical = new URL(`http://[${address.split("%")[0]}]/`).hostname.slice(1, -1);
  const match = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (match === null) return null;
  const [high, low] = [Number.parseInt(match[1] ?? "0", 16), Number.parseInt(match[2] ?? "0", 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** @throws {RangeError} when an entry is no host */
export function createHostRules(config: HostRulesConfig): HostRules {
  const patterns = config.hosts.map(parsePattern);
  const privateNames = new Set((config.privateHosts ?? []).map((name) => hostOf(name.toLowerCase())));
  const literal = new Set(
    patterns.filter(({ host, wildcard }) => !wildcard && isIP(host) !== 0).map(({ host }) => host),
  );

  const faultOf = (url: URL): string | null => {
    if (url.protocol !== "http:" && url.protocol !== "https:") return `${url.protocol} is not http or https`;
    if (url.username !== "" || url.password !== "") return "it carries credentials";
    const host = hostOf(url.hostname);
    const byHost = patterns.filter((pattern) => matches(pattern, host));
    if (byHost.length === 0) return `the host ${url.hostname} is not among those that are allowed`;
    const found = byHost.some(({ scheme, port }) => scheme === url.protocol && (port ?? "") === url.port);
    return found ? null : `${url.origin} is not allowed, only other schemes or ports of the host`;
  };

  return {
    allows: (url) => faultOf(url) === null,
    check: (url) => {
      const fault = faultOf(url);
      if (fault !== null) {
        throw new RasterError("unreachable", `${displayUrl(url)} may not be asked: ${fault}`);
      }
    },
    allowsAddress: (host, address) => {
      if (!isPrivateAddress(address)) return true;
      const name = hostOf(host.toLowerCase());
      return isIP(name) === 0 ? privateNames.has(name) : literal.has(name) || privateNames.has(name);
    },
  };
}

/** Origin and path: queries may hold signatures, which no message or log may show. */
export function displayUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`.slice(0, 300);
}

/** Whether an entry of a list of hosts means the host of this address. */
export function hostMatches(entry: string, url: URL): boolean {
  const pattern = parsePattern(entry);
  return matches(pattern, hostOf(url.hostname)) && pattern.scheme === url.protocol && (pattern.port ?? "") === url.port;
}

function parsePattern(entry: string): Pattern {
  const scheme = /^http:\/\//i.test(entry) ? "http:" : "https:";
  const rest = entry.replace(/^https?:\/\//i, "");
  const wildcard = rest.startsWith("*.");
  let url: URL;
  try {
    url = new URL(`${scheme}//${wildcard ? rest.slice(2) : rest}`);
  } catch (cause) {
    throw new RangeError(`"${entry}" is no host, expected example.com, *.example.com or http://host:port`, { cause });
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "" || url.hostname === "") {
    throw new RangeError(`"${entry}" is more than a host, expected example.com, *.example.com or http://host:port`);
  }
  return { scheme, host: hostOf(url.hostname), wildcard, port: url.port === "" ? null : url.port };
}

function matches(pattern: Pattern, host: string): boolean {
  return pattern.wildcard ? host.endsWith(`.${pattern.host}`) : host === pattern.host;
}

/** Without the brackets of IPv6 and the dot at the end of a full name. */
function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

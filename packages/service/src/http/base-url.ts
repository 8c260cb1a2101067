import type { HttpConfig } from "./http-config.ts";

/** The parts of a request that decide the origin of links. */
export interface RequestedOrigin {
  readonly scheme: "http" | "https";
  /** The header `Host`, unchecked. */
  readonly host: string;
  /** Address and port at which the connection arrived; undefined without a socket. */
  readonly localAddress: string | undefined;
  readonly localPort: number | undefined;
}

const HOST = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::\d{1,5})?$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Origin of links to the service: the public URL, else the origin that the client used. `Host` is believed for names
 * of the loopback interface, the configured listening address and the address at which the connection arrived. Another
 * name could lead the reader of a link, such as an upload address, to a foreign server.
 */
export function baseUrlOf(origin: RequestedOrigin, config: Pick<HttpConfig, "listensOn" | "publicUrl">): string {
  if (config.publicUrl !== null) return config.publicUrl;
  const { scheme, host, localPort = 80 } = origin;
  const arrivedAt = nameOf(origin.localAddress ?? "127.0.0.1");
  const name = HOST.exec(host)?.[1]?.toLowerCase();
  const believed =
    name !== undefined && (LOOPBACK.test(name) || name === arrivedAt || name === nameOf(config.listensOn));
  return `${scheme}://${believed ? host : `${arrivedAt}:${localPort}`}`;
}

/** Whether a name or an address, without port, is one of the loopback interface. */
export function isLoopbackName(name: string): boolean {
  return LOOPBACK.test(nameOf(name));
}

/** A host name, or an address as URLs spell it. */
function nameOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").toLowerCase();
  return plain.includes(":") ? `[${plain}]` : plain;
}

import type { Clock } from "@swath/base/clock";
import { readSecret } from "../../platform/config/secret.ts";
import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import { hostMatches } from "@swath/raster/remote/host-rules";
import type { Authorize } from "@swath/raster/remote/http-transport";
import { type RemoteClient, Retry } from "@swath/raster/remote/remote-client";
import type { StacCredentialConfig } from "./config.ts";

type Grant = NonNullable<Awaited<ReturnType<Authorize>>>;

interface Credential {
  readonly hosts: readonly string[];
  grant(signal: AbortSignal): Promise<Grant>;
}

/** A token is asked for again this long before it ends. */
const RENEW_BEFORE_MS = 60_000;
/** Of tokens that do not tell when they end. */
const DEFAULT_LIFE_MS = 600_000;
const MAX_TOKEN_BYTES = 64 * 1024;

/**
 * Adds credentials to requests to the hosts they are configured for. Secrets are read once, here.
 *
 * @param client asked for signatures when they are first needed
 * @throws {Error} naming the variable or file of a secret that is missing, or a credential that is wrong
 */
export function createAuthorize(
  configs: readonly StacCredentialConfig[],
  clock: Clock,
  client: () => RemoteClient,
): Authorize {
  const credentials = configs.map((config) => credentialOf(config, clock, client));
  return async (url, signal) => {
    const found = credentials.find(({ hosts }) => hosts.some((host) => hostMatches(host, url)));
    return found === undefined ? null : found.grant(signal);
  };
}

function credentialOf(config: StacCredentialConfig, clock: Clock, client: () => RemoteClient): Credential {
  const { hosts } = config;
  switch (config.kind) {
    case "bearer":
      return fixed(hosts, { headers: { authorization: `Bearer ${readSecret(config.token)}` } });
    case "basic": {
      const pair = Buffer.from(`${config.user}:${readSecret(config.password)}`, "utf8").toString("base64");
      return fixed(hosts, { headers: { authorization: `Basic ${pair}` } });
    }
    case "header":
      return fixed(hosts, { headers: { [config.name.toLowerCase()]: readSecret(config.value) } });
    case "query":
      return fixed(hosts, { query: readSecret(config.token) });
    case "sas": {
      const url = new URL(config.tokenUrl);
      if (hosts.some((host) => hostMatches(host, url))) {
        throw new Error(`${url.host} gives out signatures and needs one itself; list only the hosts that need them`);
      }
      return signed(hosts, url, clock, client);
    }
    default:
      return config satisfies never;
  }
}

function fixed(hosts: readonly string[], grant: Grant): Credential {
  return { hosts, grant: () => Promise.resolve(grant) };
}

interface Signature {
  readonly query: string;
  readonly endsAtMs: number;
}

/** A query string from a token service, kept until shortly before it ends. */
function signed(hosts: readonly string[], url: URL, clock: Clock, client: () => RemoteClient): Credential {
  let current: Signature | null = null;
  let asking: Promise<Signature> | null = null;
  const ask = async (): Promise<Signature> => {
    let signature: Signature | null = null;
    // Shared by all requests that wait for it, so none of their signals may end it; the client's timeout does.
    await client().send(
      {
        url,
        maxBytes: MAX_TOKEN_BYTES,
        accept: (answer) => {
          signature = readSignature(answer.body, clock);
          if (signature === null) throw new Retry(`answered ${answer.status} without a token`);
        },
      },
      new AbortController().signal,
    );
    if (signature === null) throw new Error("a token was accepted without being read");
    return signature;
  };
  return {
    hosts,
    async grant(signal) {
      if (current === null || current.endsAtMs - RENEW_BEFORE_MS <= clock.now().getTime()) {
        asking ??= ask().finally(() => {
          asking = null;
        });
        current = await asking;
        signal.throwIfAborted();
      }
      return { query: current.query };
    },
  };
}

function readSignature(body: Uint8Array | null, clock: Clock): Signature | null {
  let json: unknown = null;
  try {
    json = JSON.parse(new TextDecoder().decode(body ?? new Uint8Array(0)));
  } catch {
    return null;
  }
  if (!isRecord(json) || typeof json["token"] !== "string" || json["token"] === "") return null;
  const expiry = typeof json["msft:expiry"] === "string" ? Date.parse(json["msft:expiry"]) : Number.NaN;
  return {
    query: json["token"],
    endsAtMs: Number.isNaN(expiry) ? clock.now().getTime() + DEFAULT_LIFE_MS : expiry,
  };
}

import { isWithin, type Tile } from "@swath/kernel/tiles/tile";
import { SignJWT, errors, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { SigningKeys } from "../../platform/signed-text.ts";
import type { Clock } from "@swath/base/clock";

/** A listed tile as the signed map ID carries it. */
export interface ListedTile {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** What a signed map ID says: which map, and which tiles its holder may download with their descendants. */
export interface MapClaims {
  readonly mapId: string;
  readonly mapType: string;
  readonly geometryId: string;
  readonly version: number;
  /** Analysis whose hidden features the map hides; absent for a map of a release. */
  readonly analysisId?: string;
  /** Link that gives the ID; absent for IDs of releases. The ID ends with the link. */
  readonly linkId?: string;
  readonly tiles: readonly ListedTile[];
  /** Seconds since 1970. */
  readonly exp: number;
}

/** Map IDs are valid for one year. */
export const MAP_ID_LIFETIME_S = 365 * 24 * 60 * 60;
/** A map is browsed with one ID at a time; 2 000 of about 1 kB each. */
const REMEMBERED_IDS = 2000;

export interface MapIdSigner {
  /** @param exp end in seconds since 1970; a year from now unless given */
  sign(map: Omit<MapClaims, "exp">, exp?: number): Promise<string>;
  /** The ID of the same map within an analysis, as long valid. @throws {ServiceError} as `verify` */
  bind(signedMapId: string, analysisId: string): Promise<string>;
  /** @throws {ServiceError} INVALID-MAP-ID when the signature is not ours, the ID has expired or its link is revoked */
  verify(signedMapId: string): Promise<MapClaims>;
}

function isListedTile(value: unknown): value is ListedTile {
  return (
    typeof value === "object" &&
    value !== null &&
    "x" in value &&
    "y" in value &&
    "zoom" in value &&
    Number.isInteger(value.x) &&
    Number.isInteger(value.y) &&
    Number.isInteger(value.zoom)
  );
}

function toClaims(payload: Readonly<Record<string, unknown>>): MapClaims | null {
  const { analysisId, linkId, mapId, mapType, geometryId, version, exp, tiles } = payload;
  if (typeof mapId !== "string" || typeof mapType !== "string" || typeof geometryId !== "string") return null;
  if (typeof version !== "number" || typeof exp !== "number") return null;
  if (!Array.isArray(tiles) || !tiles.every(isListedTile)) return null;
  return {
    mapId,
    mapType,
    geometryId,
    version,
    exp,
    tiles,
    ...(typeof analysisId === "string" ? { analysisId } : {}),
    ...(typeof linkId === "string" ? { linkId } : {}),
  };
}

function expired(): ServiceError {
  return new ServiceError("INVALID-MAP-ID", "the map ID has expired: release the map again");
}

/**
 * Signs and checks map IDs: JSON Web Tokens, HS256.
 *
 * @param keys secrets of at least 32 bytes
 * @param isLive whether a link still exists
 */
export function createMapIdSigner(
  keys: SigningKeys,
  clock: Clock,
  isLive: (linkId: string) => Promise<boolean>,
): MapIdSigner {
  for (const { byteLength } of keys()) {
    if (byteLength < 32) throw new RangeError(`a map signing key must have 32 bytes or more, got ${byteLength}`);
  }
  const verified = new LRUCache<string, MapClaims>({ max: REMEMBERED_IDS });

  async function check(signedMapId: string): Promise<MapClaims> {
    for (const key of keys()) {
      try {
        const { payload } = await jwtVerify(signedMapId, key, { algorithms: ["HS256"], currentDate: clock.now() });
        const claims = toClaims(payload);
        if (claims !== null) return claims;
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw expired();
        if (!(error instanceof errors.JOSEError)) throw error;
      }
    }
    throw new ServiceError("INVALID-MAP-ID", "the map ID is not one that this service has signed");
  }

  async function signed({ exp, ...map }: MapClaims): Promise<string> {
    const [key] = keys();
    if (key === undefined) throw new Error("there is no key to sign map IDs with");
    return await new SignJWT({ ...map })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setExpirationTime(exp)
      .sign(key);
  }

  async function unexpired(signedMapId: string): Promise<MapClaims> {
    const known = verified.get(signedMapId);
    if (known !== undefined) {
      if (known.exp * 1000 <= clock.now().getTime()) throw expired();
      return known;
    }
    const claims = await check(signedMapId);
    verified.set(signedMapId, claims);
    return claims;
  }

  async function verify(signedMapId: string): Promise<MapClaims> {
    const claims = await unexpired(signedMapId);
    if (claims.linkId !== undefined && !(await isLive(claims.linkId))) {
      throw new ServiceError("INVALID-MAP-ID", "the link to the map was revoked: ask its owner for another");
    }
    return claims;
  }

  return {
    sign: (map, exp = Math.floor(clock.now().getTime() / 1000) + MAP_ID_LIFETIME_S) => signed({ ...map, exp }),
    bind: async (signedMapId, analysisId) => signed({ ...(await verify(signedMapId)), analysisId }),
    verify,
  };
}

/** Whether a tile is one of the listed ones or a descendant of one. */
export function includesTile(tiles: readonly ListedTile[], tile: Tile): boolean {
  return tiles.some(({ zoom, x, y }) => isWithin(tile, [zoom, x, y]));
}

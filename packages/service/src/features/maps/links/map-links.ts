import { randomBytes } from "node:crypto";
import type { Clock } from "@swath/base/clock";
import { ServiceError } from "@swath/kernel/errors/service-error";
import {
  DEFAULT_LINK_LIFETIME_S,
  MAX_LINKS_PER_USER,
  type CreateLinkRequest,
  type MapLink,
} from "@swath/contract/features/maps/links-contract";
import type { Db } from "../../../platform/context.ts";
import { inTransaction } from "../../../platform/postgres/transaction.ts";
import { refuseQuery } from "../grid-files/refuse-query.ts";
import type { MapClaims, MapIdSigner } from "../signed-map-id.ts";
import type { LinkStates } from "./link-states.ts";
import { countLinks, deleteLink, insertLink, selectLinks, type LinkRow } from "./link-store.ts";

/** Links to maps. */
export interface MapLinks {
  /** @throws {ServiceError} INVALID-MAP-ID; VALIDATION-ERROR for a link of a link or one that outlives its map ID; CONFLICT */
  create(userId: string, request: CreateLinkRequest): Promise<MapLink>;
  list(userId: string): Promise<{ results: MapLink[] }>;
  /** @throws {ServiceError} NON-EXISTENT-LINK also for the link of another user */
  revoke(userId: string, linkId: string): Promise<Record<string, never>>;
}

export interface MapLinksDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly signer: MapIdSigner;
  readonly states: Pick<LinkStates, "forget">;
}

/** 96 bits, 16 characters. */
const ID_BYTES = 12;

export function createMapLinks({ db, clock, signer, states }: MapLinksDeps): MapLinks {
  return {
    async create(userId, request) {
      const { exp, linkId, ...claims } = await signer.verify(request.mapId);
      if (linkId !== undefined) refuseQuery("mapId", "is the map ID of a link, expected one of a release");
      const createdAt = clock.now();
      const expiresAt = endOf(request, exp, createdAt);
      const row: LinkRow = {
        id: randomBytes(ID_BYTES).toString("base64url"),
        name: request.name ?? null,
        claims,
        createdAt,
        expiresAt,
      };
      await inTransaction(db, async (trx) => {
        if ((await countLinks(trx, userId, createdAt)) >= MAX_LINKS_PER_USER) {
          throw new ServiceError("CONFLICT", `There are ${MAX_LINKS_PER_USER} links already; revoke one first`);
        }
        await insertLink(trx, userId, row);
      });
      return await shown(signer, row);
    },

    async list(userId) {
      const rows = await selectLinks(db, userId, clock.now(), MAX_LINKS_PER_USER);
      return { results: await Promise.all(rows.map((row) => shown(signer, row))) };
    },

    async revoke(userId, linkId) {
      if (!(await deleteLink(db, userId, linkId))) {
        throw new ServiceError("NON-EXISTENT-LINK", `There is no link "${linkId}" of the caller`);
      }
      states.forget(linkId);
      return {};
    },
  };
}

function endOf({ expiresInSeconds }: CreateLinkRequest, exp: MapClaims["exp"], createdAt: Date): Date {
  // Map IDs count whole seconds.
  const startS = Math.floor(createdAt.getTime() / 1000);
  const remainingS = exp - startS;
  const lifetimeS = expiresInSeconds ?? Math.min(DEFAULT_LINK_LIFETIME_S, remainingS);
  if (lifetimeS > remainingS) {
    refuseQuery(
      "expiresInSeconds",
      `must be at most ${remainingS}, the rest of the lifetime of mapId, got ${lifetimeS}`,
    );
  }
  return new Date((startS + lifetimeS) * 1000);
}

async function shown(signer: Pick<MapIdSigner, "sign">, row: LinkRow): Promise<MapLink> {
  const { id: linkId, claims, createdAt, expiresAt, name } = row;
  return {
    linkId,
    mapId: await signer.sign({ ...claims, linkId }, expiresAt.getTime() / 1000),
    mapType: claims.mapType,
    name,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

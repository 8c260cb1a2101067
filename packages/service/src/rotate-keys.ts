import { systemClock } from "@swath/base/clock";
import { openConfiguredDatabase } from "./configured-database.ts";
import { createAuditService } from "./features/audit/service.ts";
import { readConfig, type Settings } from "./platform/config/config.ts";
import { DEFAULT_TOKEN_LIFETIME_S } from "./platform/identity/identity.ts";
import { addKey } from "./platform/identity/loaded-keys.ts";
import { ACTIVATION_MS } from "./platform/link-keys.ts";
import { addLinkSecret } from "./platform/postgres/link-secrets.ts";

export interface KeyRotation {
  /** From then on every process signs with the new keys. */
  readonly signFrom: Date;
}

/**
 * New keys for tokens, map IDs and addresses, in the database of a service with these settings. It may be running. The
 * former keys sign no more; their signatures stay valid until they expire.
 *
 * @throws {ConfigError} naming every fault of the configuration
 */
export async function rotateConfiguredKeys(settings: Settings = {}): Promise<KeyRotation> {
  await using database = await openConfiguredDatabase(readConfig(settings), "swath keys");
  const { db } = database;
  const clock = systemClock;
  const audit = createAuditService({ db, clock });
  await addKey({ db, clock, tokenLifetimeS: DEFAULT_TOKEN_LIFETIME_S }, true);
  const signFrom = new Date(clock.now().getTime() + ACTIVATION_MS);
  await db.transaction().execute(async (trx) => {
    const id = await addLinkSecret(trx, signFrom);
    await audit.record(trx, {
      actor: "system",
      action: "keys.rotate",
      target: { kind: "keys", id: String(id) },
      after: { signFrom: signFrom.toISOString() },
    });
  });
  return { signFrom };
}

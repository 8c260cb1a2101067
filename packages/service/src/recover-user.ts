import { randomBytes } from "node:crypto";
import { openConfiguredDatabase } from "./configured-database.ts";
import { createAuditService } from "./features/audit/service.ts";
import { setBlocked } from "./features/users/block-user.ts";
import { storePassword } from "./features/users/change-password.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { systemClock } from "@swath/base/clock";
import { readConfig, type Settings } from "./platform/config/config.ts";
import { findCredential } from "./platform/identity/account-store.ts";

/** What an operator at the machine does for a user who cannot sign in any more, perhaps the only administrator. */
export interface Recovery {
  readonly email: string;
  /** Gives a new password and ends all tokens. */
  readonly resetPassword: boolean;
  readonly unblock: boolean;
}

/**
 * Lets a user in again, in the database that a service with these settings uses, whether or not one is running.
 *
 * @returns the new password, to be shown once, or null when none was asked for
 * @throws {ServiceError} NON-EXISTENT-USER
 * @throws {ConfigError} naming every fault of the configuration
 */
export async function recoverConfiguredUser(recovery: Recovery, settings: Settings = {}): Promise<string | null> {
  await using database = await openConfiguredDatabase(readConfig(settings), "swath users");
  const { db } = database;
  const deps = { db, clock: systemClock, audit: createAuditService({ db, clock: systemClock }) };
  const email = recovery.email.toLowerCase();
  const user = await findCredential(db, email);
  if (user === null) throw new ServiceError("NON-EXISTENT-USER", `There is no user with the e-mail "${email}"`);
  if (recovery.unblock) await setBlocked(deps, { id: user.id }, false, "system");
  if (!recovery.resetPassword) return null;
  const password = randomBytes(15).toString("base64url");
  await storePassword(deps, user, password, "system");
  return password;
}

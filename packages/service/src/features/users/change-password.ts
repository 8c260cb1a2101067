import { ServiceError } from "@swath/kernel/errors/service-error";
import type { RequestContext } from "../../platform/context.ts";
import { findCredential, type Credential } from "../../platform/identity/account-store.ts";
import type { LoginThrottle } from "../../platform/identity/login-throttle.ts";
import { hashPassword, verifyPassword } from "../../platform/identity/password.ts";
import type { UserDeps } from "./accounts.ts";
import { askedBy, type Requester } from "./audited.ts";
import { invalidMember } from "./invalid-member.ts";
import { requireGoodPassword } from "./password-policy.ts";
import { replacePassword } from "./store.ts";
import type { ChangePasswordRequest } from "@swath/contract/features/users/user-contract";

/**
 * Replaces the caller's password. Guessing the current one with a stolen token is slowed down, and does not lock the
 * login of the user.
 */
export async function changePassword(
  deps: UserDeps & { readonly throttle: LoginThrottle },
  by: RequestContext,
  { currentPassword, newPassword }: ChangePasswordRequest,
): Promise<void> {
  const { email, userId } = by.caller;
  requireGoodPassword(newPassword, email, "/newPassword");
  if (newPassword === currentPassword) throw invalidMember("/newPassword", "must not be the current password");
  const subject = `password of ${userId}`;
  const retryAfterS = await deps.throttle.begin(subject, null);
  if (retryAfterS > 0) {
    throw new ServiceError("TOO-MANY-REQUESTS", `Too many attempts; try again in ${retryAfterS} s`, {
      retryAfterS,
    });
  }
  const credential = await findCredential(deps.db, email);
  const matches = await verifyPassword(credential?.passwordHash ?? null, currentPassword);
  if (credential === null || !matches) throw new ServiceError("NOT-AUTHORIZED", "The current password is wrong");
  await deps.throttle.succeeded(subject, null);
  await storePassword(deps, credential, newPassword, by);
}

/** Replaces the password of any user, for an operator. @throws {ServiceError} NON-EXISTENT-USER */
export async function setPassword(deps: UserDeps, email: string, password: string, by: Requester): Promise<void> {
  const user = await findCredential(deps.db, email.toLowerCase());
  if (user === null) throw new ServiceError("NON-EXISTENT-USER", `There is no user with the e-mail "${email}"`);
  await storePassword(deps, user, password, by);
}

/** Stores a password and ends all tokens of its user. @throws {ServiceError} CONFLICT when another one came first */
export async function storePassword(
  deps: UserDeps,
  user: Pick<Credential, "id" | "tokenVersion">,
  password: string,
  by: Requester,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  await deps.db.transaction().execute(async (trx) => {
    if (!(await replacePassword(trx, user, passwordHash, deps.clock.now()))) {
      throw new ServiceError("CONFLICT", "The password was changed by another request");
    }
    await deps.audit.record(trx, {
      ...askedBy(by),
      action: "user.change-password",
      target: { kind: "user", id: user.id },
    });
  });
}

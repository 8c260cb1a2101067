import { creditsToMicro } from "@swath/kernel/credits/micro";
import type { CreditsService } from "./features/credits/service.ts";
import type { EnsuredUser, UserService } from "./features/users/service.ts";
import type { Config } from "./platform/config/config.ts";

export interface FirstStart {
  /** Users made by this start. */
  readonly users: readonly { readonly role: "administrator" | "demonstration user"; readonly user: EnsuredUser }[];
}

/**
 * Makes the administrator and the demonstration user with its credit where they are missing. Every start calls
 * it, of several at once one makes them.
 */
export async function bootstrap(
  config: Config,
  services: {
    readonly users: Pick<UserService, "ensureAdministrator" | "ensureDemoUser">;
    readonly credits: Pick<CreditsService, "createAccount" | "grant">;
  },
): Promise<FirstStart> {
  const { users, credits } = services;
  const made: FirstStart["users"][number][] = [];
  const administrator = await users.ensureAdministrator(config.admin);
  if (administrator.created) made.push({ role: "administrator", user: administrator });
  const { demo } = config;
  if (demo !== null) {
    const user = await users.ensureDemoUser(demo, async (trx, { userId, groupId }) => {
      await credits.createAccount(trx, groupId, userId);
      await credits.grant(trx, groupId, creditsToMicro(demo.credit), "credit of the first start");
    });
    if (user.created) made.push({ role: "demonstration user", user });
  }
  return { users: made };
}

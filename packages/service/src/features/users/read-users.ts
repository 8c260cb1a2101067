import { statusOf } from "../../error-status.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { ListUsersRequest, User, UserInfoRequest, UserList } from "@swath/contract/features/users/user-contract";
import type { Caller, Db, RequestContext } from "../../platform/context.ts";
import type { Identity } from "../../platform/identity/identity.ts";
import type { RightsChanges } from "../../platform/identity/rights-changes.ts";
import { KeptJson } from "../../platform/kept-json.ts";
import { createWatchedCache, type WatchedCache } from "../../platform/identity/watched-cache.ts";
import { findGroup } from "./group-store.ts";
import { idAfter, pageById } from "./list-cursor.ts";
import { listReach, organizationReach, reaches } from "./reach.ts";
import { findUser, listMemberships, listUsers } from "./store.ts";
import { listedUser, userAnswer } from "./user-answer.ts";

const DEFAULT_LIMIT = 100;

/** A user as an answer, and as the answer is sent. */
export interface KnownUser {
  readonly user: User;
  readonly answer: KeptJson<User>;
}

/** Users by ID. */
export function knownUsers(db: Db, rights: RightsChanges): WatchedCache<KnownUser> {
  return createWatchedCache(
    rights,
    async (id) => {
      const row = await findUser(db, { id });
      if (row === null) return null;
      const user = userAnswer(row);
      return { user, answer: new KeptJson(user) };
    },
    ({ user }) => user.permissions.length,
  );
}

/** @throws {ServiceError} NON-EXISTENT-USER */
export async function userInfo(
  users: WatchedCache<KnownUser>,
  caller: Caller,
  request: UserInfoRequest,
): Promise<KnownUser> {
  const userId = request.userId ?? caller.userId;
  const known = await users.read(userId);
  if (known === null || (known.user.blocked && request.allowBlocked !== true)) {
    throw new ServiceError("NON-EXISTENT-USER", `There is no user "${userId}"`);
  }
  return known;
}

/** The user of a token. */
export async function authorize(
  users: WatchedCache<KnownUser>,
  identity: Pick<Identity, "authenticateToken">,
  token: string,
): Promise<{ authorized: boolean; user: User | null }> {
  try {
    const caller = await identity.authenticateToken(token);
    const known = await users.read(caller.userId);
    return { authorized: known !== null, user: known?.user ?? null };
  } catch (error) {
    // A refused token is an answer; a silent issuer is a failure.
    if (error instanceof ServiceError && statusOf(error) === 401) return { authorized: false, user: null };
    throw error;
  }
}

/** One page of the users that the caller may see. */
export async function listReachedUsers(db: Db, by: RequestContext, request: ListUsersRequest): Promise<UserList> {
  const after = idAfter(request.cursor);
  const memberships = await listMemberships(db, by.caller.userId);
  const limit = request.limit ?? DEFAULT_LIMIT;
  const rows = await listUsers(db, {
    reach: listReach(by.caller.permissions, memberships, ["admin.users.list", "admin.users.manage"]),
    groupId: request.groupId ?? null,
    organizationId: request.organizationId ?? null,
    search: request.search ?? null,
    blocked: request.blocked ?? null,
    after,
    limit: limit + 1,
  });
  return pageById(rows, limit, listedUser);
}

export async function managesGroup(db: Db, userId: string, groupId: string): Promise<boolean> {
  const memberships = await listMemberships(db, userId);
  return memberships.some((one) => one.group_id === groupId && one.is_manager);
}

export async function isInOrganizationOf(db: Db, userId: string, groupId: string): Promise<boolean> {
  const group = await findGroup(db, { id: groupId });
  return group !== null && reaches(organizationReach(await listMemberships(db, userId)), group);
}

import { statusOf } from "../../error-status.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { ListUsersRequest, User, UserInfoRequest, UserList } from "@swath/contract/features/users/user-contract";
import type { Caller, Db, RequestContext } from "../../platform/context.ts";
import type { Identity } from "../../platform/identity/identity.ts";
import type { RightsChanges } from "../../platform/identity/rights-changes.ts";
import { createWatchedCache, type WatchedCache } from "../../platform/identity/watched-cache.ts";
import { findGroup } from "./group-store.ts";
import { idAfter, pageOf } from "./list-cursor.ts";
import { listReach, organizationReach, reaches } from "./reach.ts";
import { findUser, listMemberships, listUsers } from "./store.ts";
import { listedUser, userAnswer } from "./user-answer.ts";

const DEFAULT_LIMIT = 100;

/** Users by ID, as answers. */
export function knownUsers(db: Db, rights: RightsChanges): WatchedCache<User> {
  return createWatchedCache(
    rights,
    async (id) => {
      const row = await findUser(db, { id });
      return row === null ? null : userAnswer(row);
    },
    ({ permissions }) => permissions.length,
  );
}

/** @throws {ServiceError} NON-EXISTENT-USER */
export async function userInfo(users: WatchedCache<User>, caller: Caller, request: UserInfoRequest): Promise<User> {
  const userId = request.userId ?? caller.userId;
  const user = await users.read(userId);
  if (user === null || (user.blocked && request.allowBlocked !== true)) {
    throw new ServiceError("NON-EXISTENT-USER", `There is no user "${userId}"`);
  }
  return user;
}

/** The user of a token. */
export async function authorize(
  users: WatchedCache<User>,
  identity: Pick<Identity, "authenticateToken">,
  token: string,
): Promise<{ authorized: boolean; user: User | null }> {
  try {
    const caller = await identity.authenticateToken(token);
    const user = await users.read(caller.userId);
    return { authorized: user !== null, user };
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
  return pageOf(rows, limit, listedUser);
}

export async function managesGroup(db: Db, userId: string, groupId: string): Promise<boolean> {
  const memberships = await listMemberships(db, userId);
  return memberships.some((one) => one.group_id === groupId && one.is_manager);
}

export async function isInOrganizationOf(db: Db, userId: string, groupId: string): Promise<boolean> {
  const group = await findGroup(db, { id: groupId });
  return group !== null && reaches(organizationReach(await listMemberships(db, userId)), group);
}

/** A permission that a user holds, and the groups that grant it; null is the user alone. */
export interface HeldPermission {
  readonly permission: string;
  readonly groups: readonly (string | null)[];
}

interface Granting {
  readonly name: string;
  readonly permissions: readonly string[];
}

/**
 * Each permission of a user with all that grants it, sorted.
 *
 * @param extra permissions of the user alone
 * @param groups the groups of the user
 */
export function permissionSources(extra: readonly string[], groups: readonly Granting[]): readonly HeldPermission[] {
  const granted = new Map<string, (string | null)[]>();
  const grant = (permissions: readonly string[], group: string | null): void => {
    for (const permission of permissions) {
      const sources = granted.get(permission);
      if (sources === undefined) granted.set(permission, [group]);
      else sources.push(group);
    }
  };
  for (const { name, permissions } of groups) grant(permissions, name);
  grant(extra, null);
  return [...granted]
    .map(([permission, sources]) => ({ permission, groups: sources }))
    .toSorted((a, b) => (a.permission < b.permission ? -1 : 1));
}

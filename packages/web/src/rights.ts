/** The permissions of the signed-in user. */
export interface Rights {
  /** Whether the user holds a permission: itself, or one above it. */
  holds(permission: string): boolean;
}

export const NO_RIGHTS: Rights = { holds: () => false };

/** @param permissions dot-separated, as `/user/info` lists them */
export function rightsOf(permissions: readonly string[]): Rights {
  const held = new Set(permissions);
  return {
    holds(permission) {
      const parts = permission.split(".");
      return parts.some((_, end) => held.has(parts.slice(0, end + 1).join(".")));
    },
  };
}

/** Grants everything; a user who holds it counts as an administrator. */
export const ADMINISTRATION = "admin";

export function isAdministrator(held: ReadonlySet<string>): boolean {
  return held.has(ADMINISTRATION);
}

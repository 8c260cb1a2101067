/** Row types of migration 0001. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface IdentityTables {}

/** Row types of migration 0005. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface CreditTables {}

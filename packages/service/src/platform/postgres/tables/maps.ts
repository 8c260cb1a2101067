/** Row types of migration 0006. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface MapTables {}

/** Row types of migration 0003. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface SceneTables {}

/** Row types of migration 0002. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface PipelineTables {}

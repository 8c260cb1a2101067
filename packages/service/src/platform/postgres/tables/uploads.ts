/** Row types of migration 0004. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface UploadTables {}

/** The part of the library that is used; it has no types. */
declare module "shapefile" {
  export function open(
    shp: ArrayBuffer,
  ): Promise<{ read(): Promise<{ readonly done: boolean; readonly value: unknown }> }>;
}

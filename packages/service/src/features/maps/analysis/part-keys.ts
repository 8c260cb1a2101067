/** Key of a layer of one part of a result. */
export function layerKey(prefix: string, part: number, layer: number): string {
  return `${prefix}part${part}-layer${layer}.tif`;
}

/** Key of the objects of one part of a result. */
export function foundKey(prefix: string, part: number): string {
  return `${prefix}part${part}-objects.bin`;
}

/** Key of the analysis that all parts of a result share. */
export function sharedKey(prefix: string): string {
  return `${prefix}job.bin`;
}

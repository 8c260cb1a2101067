import type { MapTypeDescriptor } from "@swath/maps/map-type";

/** Name of the file of detected objects, whose drawing brings them with it; empty for maps without objects. */
export function objectsFileName({ rendering }: Pick<MapTypeDescriptor, "rendering">): string {
  const files = Object.entries(rendering.products);
  const [fileName = ""] = files.find(([, product]) => typeof product === "object" && product.kind === "objects") ?? [];
  return fileName;
}

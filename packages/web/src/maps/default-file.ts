const TRUE_COLOUR = "truecolor.png";

/** The file that shows a map at a glance: true colours, all classes, or the picture of its index. */
export function defaultFile(mapType: string, hasClasses: boolean): string {
  if (mapType === "imagery") return TRUE_COLOUR;
  if (hasClasses) return "segmentation.png";
  const [form = mapType, name] = mapType.split(":");
  return `${form === "index" && name !== undefined ? name.toLowerCase() : form}.png`;
}

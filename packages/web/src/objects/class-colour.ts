/** Colours of classes on pictures; neither orange nor blue, which mean selected and hovered. */
const COLOURS = ["#56b4e9", "#f0e442", "#cc79a7", "#009e73", "#d9d9d9"] as const;

/** @param classNames all classes of the map, in an order that no filter changes */
export function classColours(classNames: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    classNames.map((className, position) => [className, COLOURS[position % COLOURS.length] ?? COLOURS[0]]),
  );
}

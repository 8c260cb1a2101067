/** Files drawn at once: the threads always have the next one waiting. */
const DRAWN_AT_ONCE = 4;

/** Makes something of every item, a few at a time; the results in the order of the items. */
export async function inOrder<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Promise<Made>,
): Promise<readonly Made[]> {
  const made: Made[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      made[index] = await make(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(DRAWN_AT_ONCE, items.length) }, work));
  return made;
}

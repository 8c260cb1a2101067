/** Entries of owners, the oldest first. */
export type OwnedEntries<Entry> = Map<string, Set<Entry>>;

/** Adds an entry as the youngest of its owner; one that is there already becomes the youngest. */
export function addEntry<Entry>(entries: OwnedEntries<Entry>, owner: string, entry: Entry): void {
  const own = entries.get(owner);
  if (own === undefined) {
    entries.set(owner, new Set([entry]));
    return;
  }
  own.delete(entry);
  own.add(entry);
}

export function removeEntry<Entry>(entries: OwnedEntries<Entry>, owner: string, entry: Entry): void {
  const own = entries.get(owner);
  if (own === undefined) return;
  own.delete(entry);
  if (own.size === 0) entries.delete(owner);
}

export function oldestOf<Entry>(entries: OwnedEntries<Entry>, owner: string): Entry | undefined {
  return entries.get(owner)?.values().next().value;
}

/** The oldest entry of the owner with the most entries. */
export function oldestOfMostNumerous<Entry>(entries: OwnedEntries<Entry>): Entry | undefined {
  let largest: Set<Entry> | undefined;
  for (const own of entries.values()) if (largest === undefined || own.size > largest.size) largest = own;
  return largest?.values().next().value;
}

/** The element at a position that the test knows to be there. */
export function nth<T>(list: ArrayLike<T>, position: number): T {
  const element = list[position];
  if (element === undefined) throw new RangeError(`position ${position} of ${list.length}`);
  return element;
}

/** A value that is computed at its first use and kept: modules compute nothing when they are imported. */
export function lazy<Value>(compute: () => Value): () => Value {
  let kept: { readonly value: Value } | null = null;
  return () => {
    kept ??= { value: compute() };
    return kept.value;
  };
}

/** A is dark and B is orange, everywhere. */
export function SideBadge({ side }: { readonly side: "a" | "b" }) {
  return <span class={`side-badge side-${side}`}>{side.toUpperCase()}</span>;
}

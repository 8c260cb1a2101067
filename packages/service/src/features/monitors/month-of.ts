/** Calendar month of a moment, UTC: YYYY-MM. */
export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}

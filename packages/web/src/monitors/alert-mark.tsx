import { monitorsText } from "./monitors-text.ts";

/** A red triangle: a rule is broken. */
export function AlertMark() {
  return (
    <svg class="alert-mark" viewBox="0 0 12 12" role="img" aria-label={monitorsText.alerts.mark}>
      <path d="M6 1 11.500 11H.5z" />
    </svg>
  );
}

import { Credits } from "../ui/credits.tsx";
import type { Monitor } from "./monitor.ts";
import { monitorsText } from "./monitors-text.ts";

/** Credits spent in the month, and credits held for scenes that are being measured. */
export function MonitorBudget({ monitor }: { readonly monitor: Monitor }) {
  const { month, spentCredits, reservedCredits, creditsPerMonth } = monitor;
  return (
    <div>
      <progress
        max={creditsPerMonth === 0 ? 1 : creditsPerMonth}
        value={spentCredits + reservedCredits}
        aria-label={monitorsText.budget(month)}
      />
      <p class="hint">
        <Credits value={spentCredits} /> {monitorsText.of} <Credits value={creditsPerMonth} /> {monitorsText.month}
        {reservedCredits > 0 && (
          <>
            {" · "}
            <Credits value={reservedCredits} /> {monitorsText.reserved}
          </>
        )}
      </p>
    </div>
  );
}

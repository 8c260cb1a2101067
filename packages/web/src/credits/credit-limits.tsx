import { Credits } from "../ui/credits.tsx";
import { creditsText as text } from "./credits-text.ts";
import type { Limits } from "./use-ledger.ts";

/** Bounds on the spending of a user: credit of the group, limit of the user, credit that orders hold. */
export function CreditLimits({ limits }: { readonly limits: Limits }) {
  const { tier, held, spent, groupCredit, userLimit } = limits;
  const facts: readonly (readonly [string, number | null])[] = [
    [text.limits.group, groupCredit],
    [text.limits.user, userLimit],
    [text.limits.spent, spent],
    [text.limits.held, held],
  ];
  return (
    <>
      <dl class="facts-list" data-testid="limits">
        {facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value === null ? text.limits.none : <Credits value={value} />}</dd>
          </>
        ))}
      </dl>
      <p class="hint">
        {text.limits.why(userLimit !== null && userLimit - spent < groupCredit)} {text.tier(tier)}
      </p>
    </>
  );
}

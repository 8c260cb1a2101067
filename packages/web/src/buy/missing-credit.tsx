import type { Client } from "@swath/client";
import { creditText } from "../format/numbers.ts";
import { text } from "../text/en.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import { useConsole } from "../use-console.ts";

async function readBound(calls: Client, signal: AbortSignal): Promise<string> {
  const { creditLimit, groupCredit, usedCredit } = await calls.call("/credits/user/info", {}, { signal });
  const isOwn = creditLimit !== null && creditLimit - usedCredit < groupCredit;
  return isOwn ? text.buy.bounds.user(creditText(creditLimit)) : text.buy.bounds.group(creditText(groupCredit));
}

/** The missing credit, and its bound: the credit of the group or the limit of the user. */
export function MissingCredit({ missing }: { readonly missing: number }) {
  const { calls, rights } = useConsole();
  const mayRead = rights.value.holds("credits.user-info");
  const bound = useLoaded(async (signal) => (mayRead ? await readBound(calls, signal) : ""), [mayRead]);
  return (
    <p class="note bad" role="alert">
      {text.buy.missing(creditText(missing))} {bound.value ?? ""}
    </p>
  );
}

import { useEffect, useState } from "preact/hooks";
import { useConsole } from "../use-console.ts";
import { ledgerRows, listTransactions, type LedgerRow, type Transaction } from "./ledger.ts";

interface Loaded {
  readonly balance: number;
  readonly spent: number | null;
  readonly tier: string | null;
  readonly entries: readonly Transaction[];
  readonly cursor: string | null;
}

export interface LedgerUse {
  readonly loaded: (Loaded & { readonly rows: readonly LedgerRow[] }) | null;
  readonly scope: "group" | "user";
  readonly problem: unknown;
  readonly load: () => void;
  readonly more: () => void;
}

/** Balance and credit log of the group, or of the user alone without the permission. */
export function useLedger(): LedgerUse {
  const { calls, rights, credit, session } = useConsole();
  const [loaded, setLoaded] = useState<LedgerUse["loaded"]>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const scope = rights.value.holds("credits.list-group-transactions") ? "group" : "user";
  const mayList = scope === "group" || rights.value.holds("credits.list-user-transactions");
  const mayRead = rights.value.holds("credits.user-info");
  const isSignedIn = session.state.value.kind === "signed-in";
  const show = (next: Loaded): void => {
    credit.value = next.balance;
    setLoaded({ ...next, rows: ledgerRows(next.balance, next.entries) });
  };
  const load = async (): Promise<void> => {
    setProblem(null);
    const [{ remainingCredit }, info, page] = await Promise.all([
      calls.call("/credits/get-remaining-credit"),
      mayRead ? calls.call("/credits/user/info", {}) : null,
      mayList ? listTransactions(calls, scope, null) : { results: [], cursor: null },
    ]);
    const about = { spent: info?.usedCredit ?? null, tier: info?.creditsTier ?? null };
    show({ balance: remainingCredit, ...about, entries: page.results, cursor: page.cursor });
  };
  const more = async (): Promise<void> => {
    if (loaded === null || loaded.cursor === null) return;
    const page = await listTransactions(calls, scope, loaded.cursor);
    show({ ...loaded, entries: [...loaded.entries, ...page.results], cursor: page.cursor });
  };
  useEffect(() => {
    if (isSignedIn) load().catch(setProblem);
  }, [isSignedIn, scope, mayList, mayRead]);
  return {
    loaded,
    scope,
    problem,
    load: () => void load().catch(setProblem),
    more: () => void more().catch(setProblem),
  };
}

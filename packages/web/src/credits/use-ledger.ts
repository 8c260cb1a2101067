import type { Client } from "@swath/client";
import { useEffect, useState } from "preact/hooks";
import { useConsole } from "../use-console.ts";
import { ledgerRows, listTransactions, type LedgerRow, type Transaction } from "./ledger.ts";

/** Bounds on the spending of the user, credits. */
export interface Limits {
  readonly tier: string;
  readonly held: number;
  readonly spent: number;
  readonly groupCredit: number;
  /** Null without one. */
  readonly userLimit: number | null;
}

interface Loaded {
  readonly balance: number;
  /** Null without the permission to read it. */
  readonly limits: Limits | null;
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
    const [{ remainingCredit }, about, page] = await Promise.all([
      calls.call("/credits/get-remaining-credit"),
      mayRead ? readLimits(calls) : null,
      mayList ? listTransactions(calls, scope, null) : { results: [], cursor: null },
    ]);
    show({ balance: remainingCredit, limits: about, entries: page.results, cursor: page.cursor });
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

async function readLimits(calls: Client): Promise<Limits> {
  const info = await calls.call("/credits/user/info", {});
  const { creditsTier: tier, heldCredit: held, usedCredit: spent, groupCredit, creditLimit: userLimit } = info;
  return { tier, held, spent, groupCredit, userLimit };
}

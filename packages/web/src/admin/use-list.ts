import { useEffect, useState } from "preact/hooks";
import { useConsole } from "../use-console.ts";

/** A page of a list; the cursor is null at its end. */
export interface ListPage<Row> {
  readonly results: readonly Row[];
  readonly cursor?: string | null;
}

export interface ListUse<Row> {
  /** Null until they are read. */
  readonly rows: readonly Row[] | null;
  readonly problem: unknown;
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly reload: () => void;
}

/** Reads a list, and again where its conditions change; former rows stay until then. */
export function useList<Row>(
  read: (cursor: string | null) => Promise<ListPage<Row>>,
  conditions: string,
): ListUse<Row> {
  const { session } = useConsole();
  const [page, setPage] = useState<ListPage<Row> | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const isSignedIn = session.state.value.kind === "signed-in";
  const load = (cursor: string | null): void => {
    setProblem(null);
    read(cursor).then(
      (next) => setPage({ ...next, results: [...(cursor === null ? [] : (page?.results ?? [])), ...next.results] }),
      setProblem,
    );
  };
  useEffect(() => {
    if (isSignedIn) load(null);
  }, [isSignedIn, conditions]);
  const cursor = page?.cursor ?? null;
  return {
    rows: page?.results ?? null,
    problem,
    hasMore: cursor !== null,
    more: () => load(cursor),
    reload: () => load(null),
  };
}

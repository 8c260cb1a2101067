import { useEffect, useState } from "preact/hooks";

export interface Loaded<Value> {
  /** Null until it is first read; the last one while it is read again. */
  readonly value: Value | null;
  /** Why the last reading failed; null unless it did. */
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
  /** Puts a value in the place of the loaded one. */
  readonly replace: (value: Value) => void;
}

/** What a panel reads from the service, again whenever one of `keys` changes. */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
): Loaded<Value> {
  const [value, setValue] = useState<Value | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isLoading, setLoading] = useState(true);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    setLoading(true);
    load(abort.signal)
      .then((read) => {
        if (abort.signal.aborted) return;
        setValue(() => read);
        setError(null);
      })
      .catch((reason: unknown) => {
        if (!abort.signal.aborted) setError(reason);
      })
      .finally(() => {
        if (!abort.signal.aborted) setLoading(false);
      });
    return () => abort.abort();
  }, [...keys, round]);
  return {
    value,
    error,
    isLoading,
    reload: () => setRound((last) => last + 1),
    replace: (next) => setValue(() => next),
  };
}

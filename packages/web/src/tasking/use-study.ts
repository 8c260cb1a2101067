import { useEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "../failures/message-of.ts";
import { useConsole } from "../use-console.ts";
import { askStudy, listProducts, type Product, type Study, type Wish } from "./study.ts";

type StudyState =
  | { readonly kind: "nothing-yet" }
  | { readonly kind: "asking" }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly message: string };

export interface StudyUse {
  readonly state: StudyState;
  /** Null until they are read. */
  readonly products: readonly Product[] | null;
  /** The last answer stays until the next one. */
  readonly study: Study | null;
  readonly ask: (products: readonly Product[], wish: Wish) => void;
}

/** One study at a time: a later one replaces one that still runs. */
export function useStudy(): StudyUse {
  const { calls, session } = useConsole();
  const [products, setProducts] = useState<readonly Product[] | null>(null);
  const [study, setStudy] = useState<Study | null>(null);
  const [state, setState] = useState<StudyState>({ kind: "nothing-yet" });
  const latest = useRef<AbortController | null>(null);
  const isSignedIn = session.state.value.kind === "signed-in";
  const fail = (error: unknown): void => setState({ kind: "failed", message: messageOf(error) });
  useEffect(() => {
    if (isSignedIn) listProducts(calls).then(setProducts, fail);
  }, [isSignedIn]);
  useEffect(() => () => latest.current?.abort(), []);
  return {
    state,
    products,
    study,
    ask(chosen, wish) {
      latest.current?.abort();
      const abort = new AbortController();
      latest.current = abort;
      setState({ kind: "asking" });
      askStudy(calls, chosen, wish, abort.signal).then(
        (answer) => {
          setStudy(answer);
          setState({ kind: "done" });
        },
        (error: unknown) => {
          if (!abort.signal.aborted) fail(error);
        },
      );
    },
  };
}

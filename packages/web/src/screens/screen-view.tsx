import type { ComponentType } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { messageOf } from "../find/search.ts";
import { text } from "../text/en.ts";
import type { Screen, ScreenProps } from "./screen.ts";

/** A screen whose code is loaded at its first look. A failure of it leaves the rest of the page as it is. */
export function ScreenView({ screen, parts }: ScreenProps & { readonly screen: Screen }) {
  const [Loaded, setLoaded] = useState<ComponentType<ScreenProps> | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [fault, resetFault] = useErrorBoundary();
  const load = (): void => {
    setProblem(null);
    screen.load().then((component) => setLoaded(() => component), setProblem);
  };
  useEffect(load, []);
  const failure: unknown = fault ?? problem;
  if (failure !== null && failure !== undefined) {
    return (
      <div class="state" role="alert">
        <h2>{text.errors.title}</h2>
        <p>{messageOf(failure)}</p>
        <button
          type="button"
          class="button"
          onClick={() => {
            resetFault();
            load();
          }}
        >
          {text.find.retry}
        </button>
      </div>
    );
  }
  if (Loaded === null) return <Skeleton label={screen.title} />;
  return <Loaded parts={parts} />;
}

function Skeleton({ label }: { readonly label: string }) {
  return (
    <div class="state" role="status" aria-label={text.screens.loading(label)}>
      <div class="skeleton" />
      <div class="skeleton" />
      <div class="skeleton" />
    </div>
  );
}

import type { ComponentType } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { Failure } from "../ui/failure.tsx";
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
      <Failure
        error={failure}
        onRetry={() => {
          resetFault();
          load();
        }}
      />
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

import { useEffect, useState } from "preact/hooks";
import type { Publication } from "@swath/kernel/publication/publication";
import { loadPublication } from "./load-publication.ts";
import { PublishedMaps } from "./published-maps.tsx";
import { publishedText } from "./published-text.ts";

type Answer = Publication | { readonly problem: string };

/** The page of a published folder: every file comes from the folder. */
export function PublishedPage({ theme }: { readonly theme: "dark" | "light" }) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    loadPublication().then(setAnswer, (error: unknown) => {
      setAnswer({ problem: error instanceof Error ? error.message : String(error) });
    });
  }, []);
  if (answer !== null && !("problem" in answer)) return <PublishedMaps publication={answer} theme={theme} />;
  return (
    <main class="public state">
      <h1>{answer === null ? publishedText.loading : publishedText.failed}</h1>
      {answer !== null && (
        <>
          <p>{publishedText.failedWhy}</p>
          <details>
            <summary>{publishedText.details}</summary>
            {answer.problem}
          </details>
        </>
      )}
    </main>
  );
}

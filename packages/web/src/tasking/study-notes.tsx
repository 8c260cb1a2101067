import { taskingText as text } from "./tasking-text.ts";
import type { StudyUse } from "./use-study.ts";

/** Products that a study left out or that failed, and the reason of an empty study. */
export function StudyNotes({ use }: { readonly use: StudyUse }) {
  const { state, study, products } = use;
  if (state.kind === "failed") {
    return (
      <p class="note bad" role="alert">
        {state.message}
      </p>
    );
  }
  if (products !== null && products.length === 0) return <p class="hint">{text.noProducts}</p>;
  if (study === null) return <p class="hint">{text.about}</p>;
  const { opportunities, leftOut, failed, reasons } = study;
  return (
    <>
      {failed.length > 0 && (
        <p class="note warn" role="alert">
          {text.failed(failed.join(", "))}
        </p>
      )}
      {leftOut.length > 0 && <p class="note">{text.leftOut(leftOut.join(", "))}</p>}
      {opportunities.length === 0 && failed.length === 0 && (
        <p class="note" role="status">
          {text.none(reasons.map((reason) => `${reason}.`).join(" "))}
        </p>
      )}
    </>
  );
}

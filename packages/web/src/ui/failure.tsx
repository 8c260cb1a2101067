import { FailureText } from "../failures/failure-text.tsx";
import { text } from "../text/en.ts";

/** Why a panel has nothing to show, and the way to try again. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <div class="state" role="alert">
      <h2>{text.errors.title}</h2>
      <FailureText error={error} />
      <button type="button" class="button" onClick={onRetry}>
        {text.find.retry}
      </button>
    </div>
  );
}

import { messageOf } from "../find/search.ts";
import { text } from "../text/en.ts";

/** Why a panel has nothing to show, and the way to try again. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <div class="state" role="alert">
      <h3>{text.errors.title}</h3>
      <p>{messageOf(error)}</p>
      <button type="button" class="button" onClick={onRetry}>
        {text.find.retry}
      </button>
    </div>
  );
}

import { useState } from "preact/hooks";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useConsole } from "../use-console.ts";
import { adminText as text } from "./admin-text.ts";

/** Deletes something after a question; the service says why it cannot. */
export function DeleteButton(props: {
  readonly name: string;
  readonly question: string;
  /** When it can be deleted. */
  readonly rule: string;
  readonly run: () => Promise<void>;
}) {
  const { name, question, rule, run } = props;
  const { attempt } = useConsole();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        class="button small"
        aria-label={text.of(text.remove, name)}
        onClick={() => setAsking(true)}
      >
        {text.remove}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={question}
          confirm={text.remove}
          cancel={text.cancel}
          onConfirm={() => attempt(run)}
          onClose={() => setAsking(false)}
        >
          {rule}
        </ConfirmDialog>
      )}
    </>
  );
}

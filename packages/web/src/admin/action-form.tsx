import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { messageOf } from "../failures/message-of.ts";
import { adminText as text } from "./admin-text.ts";
import { entriesOf, type Entries } from "./entries-of.ts";

/** A form of one action. A failure keeps the entries; a success empties the form. */
export function ActionForm(props: {
  readonly title: string;
  /** Of the button; the title without one. */
  readonly submit?: string;
  readonly run: (entries: Entries) => Promise<void>;
  readonly children: ComponentChildren;
}) {
  const { title, submit = title, run, children } = props;
  const [outcome, setOutcome] = useState<"busy" | "done" | { readonly problem: unknown } | null>(null);
  const send = async (form: HTMLFormElement): Promise<void> => {
    setOutcome("busy");
    try {
      await run(entriesOf(form));
      form.reset();
      setOutcome("done");
    } catch (problem) {
      setOutcome({ problem });
    }
  };
  return (
    <form
      class="stack"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
    >
      <h3>{title}</h3>
      <div class="form-grid">
        {children}
        <button type="submit" class="button primary" disabled={outcome === "busy"}>
          {submit}
        </button>
      </div>
      {outcome === "done" && (
        <p class="hint" role="status">
          {text.done}
        </p>
      )}
      {outcome !== null && typeof outcome === "object" && (
        <p class="note bad" role="alert">
          {messageOf(outcome.problem)}
        </p>
      )}
    </form>
  );
}

import { useState } from "preact/hooks";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { callsText } from "./calls-text.ts";
import { CallSnippets } from "./call-snippets.tsx";
import type { RecordedCall } from "./recorded-call.ts";

/** The last calls of the page, and how to repeat one in a program. */
export function CallsScreen() {
  const { recorder, open } = useConsole();
  const [chosenId, choose] = useState<number | null>(null);
  const { value: calls } = recorder.list;
  const chosen = calls.find(({ id }) => id === chosenId) ?? calls[0];
  return (
    <section class="below" aria-label={callsText.title}>
      <header>
        <h2>{callsText.title}</h2>
        <p class="hint spring wide-only">{callsText.about}</p>
        <span class="spring" />
        <a href="/docs">{callsText.docs}</a>
        <button type="button" class="button small" onClick={() => recorder.clear()}>
          {callsText.clear}
        </button>
        <IconButton icon="close" label={callsText.close} onClick={() => open("")} />
      </header>
      {chosen === undefined ? (
        <p class="state">{callsText.none}</p>
      ) : (
        <div class="calls">
          <ul class="call-list" aria-label={callsText.title}>
            {calls.map((call) => (
              <li key={call.id}>
                <CallRow call={call} isChosen={call.id === chosen.id} onChoose={() => choose(call.id)} />
              </li>
            ))}
          </ul>
          <CallSnippets key={chosen.id} call={chosen} />
        </div>
      )}
    </section>
  );
}

function CallRow(props: { readonly call: RecordedCall; readonly isChosen: boolean; readonly onChoose: () => void }) {
  const { call, isChosen, onChoose } = props;
  const { status, elapsedMs } = call;
  const outcome = status ?? (elapsedMs === null ? callsText.running : callsText.noAnswer);
  return (
    <button
      type="button"
      class={`call ${isChosen ? "selected" : ""}`}
      aria-current={isChosen ? "true" : undefined}
      onClick={onChoose}
    >
      <code class="spring">{`${call.method} ${call.path}`}</code>
      {call.count > 1 && <span class="hint">{callsText.times(call.count)}</span>}
      <span class={status !== null && status >= 400 ? "bad-text" : "hint"}>{outcome}</span>
      <span class="hint">{elapsedMs === null ? "" : `${Math.round(elapsedMs)} ms`}</span>
    </button>
  );
}

import { useState } from "preact/hooks";
import { callsText } from "./calls-text.ts";
import { LANGUAGES, snippet, type Language, type SnippetCall } from "./snippets.ts";

/** A call as text of a program, to copy. */
export function CallSnippets({ call }: { readonly call: SnippetCall }) {
  const [language, setLanguage] = useState<Language>("curl");
  const [isCopied, setCopied] = useState(false);
  const code = snippet(language, call, location.origin);
  return (
    <div class="snippets">
      <div class="row">
        <div class="segments" role="group" aria-label={callsText.languages}>
          {LANGUAGES.map((one) => (
            <button
              key={one}
              type="button"
              class="button small"
              aria-pressed={one === language}
              onClick={() => {
                setLanguage(one);
                setCopied(false);
              }}
            >
              {one}
            </button>
          ))}
        </div>
        <span class="spring" />
        <span class="hint" role="status">
          {isCopied ? callsText.copied : ""}
        </span>
        <button
          type="button"
          class="button small"
          onClick={() => void navigator.clipboard.writeText(code).then(() => setCopied(true))}
        >
          {callsText.copy}
        </button>
      </div>
      <pre class="code" tabIndex={0} aria-label={callsText.call}>
        {code}
      </pre>
      {call.body === null && call.method !== "GET" && <p class="hint">{callsText.noBody}</p>}
    </div>
  );
}

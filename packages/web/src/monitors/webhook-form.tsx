import { EVENT_TYPES, type EventType } from "@swath/kernel/events/event-type";
import { useState } from "preact/hooks";
import { messageOf } from "../failures/message-of.ts";
import { useConsole } from "../use-console.ts";
import { webhooksText as words } from "./webhooks-text.ts";

/** Creates a webhook and passes on its secret. */
export function WebhookForm({ onCreated }: { readonly onCreated: (secret: string) => void }) {
  const { calls } = useConsole();
  const [url, setUrl] = useState("");
  const [types, setTypes] = useState<readonly EventType[]>(["monitor.alert"]);
  const [problem, setProblem] = useState<string | null>(null);
  const create = async (): Promise<void> => {
    const { secret } = await calls.call("/webhook/create", { url, types: [...types] });
    setUrl("");
    onCreated(secret);
  };
  const toggle = (type: EventType): void =>
    setTypes(types.includes(type) ? types.filter((one) => one !== type) : [...types, type]);
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        setProblem(null);
        create().catch((error: unknown) => setProblem(messageOf(error)));
      }}
    >
      <label class="field">
        {words.url}
        <input
          type="url"
          required
          maxLength={2_000}
          placeholder={words.urlPlaceholder}
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </label>
      <details>
        <summary>{`${words.types}: ${types.length === 0 ? words.everything : types.join(", ")}`}</summary>
        <p class="hint">{words.allTypes}</p>
        {EVENT_TYPES.map((type) => (
          <label key={type} class="row">
            <input type="checkbox" checked={types.includes(type)} onChange={() => toggle(type)} /> {type}
          </label>
        ))}
      </details>
      {problem !== null && (
        <p class="note bad" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="button">
        {words.create}
      </button>
    </form>
  );
}

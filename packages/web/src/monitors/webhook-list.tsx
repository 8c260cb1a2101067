import { useState } from "preact/hooks";
import { Failure } from "../ui/failure.tsx";
import { Skeletons } from "../ui/skeletons.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { useConsole } from "../use-console.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { WebhookCard } from "./webhook-card.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { webhooksText as words } from "./webhooks-text.ts";

/** The addresses that events of the user are posted to. */
export function WebhookList() {
  const { calls, rights } = useConsole();
  const [secret, setSecret] = useState<string | null>(null);
  const loaded = useLoaded(async (signal) => await calls.call("/webhook/list", {}, { signal }), []);
  if (loaded.value === null) {
    if (loaded.error !== null) return <Failure error={loaded.error} onRetry={loaded.reload} />;
    return <Skeletons label={words.title} />;
  }
  const { results } = loaded.value;
  const tell = (told: string): void => {
    setSecret(told);
    loaded.reload();
  };
  return (
    <div class="side-body">
      <p>{words.about}</p>
      {rights.value.holds("webhook.create") && <WebhookForm onCreated={tell} />}
      {results.length === 0 && <p class="hint">{words.none}</p>}
      <ul class="cards" aria-label={words.title}>
        {results.map((webhook) => (
          <WebhookCard key={webhook.id} webhook={webhook} onChanged={loaded.reload} onSecret={tell} />
        ))}
      </ul>
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </div>
  );
}

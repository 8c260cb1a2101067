import type { Client } from "@swath/client";
import { useState } from "preact/hooks";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useConsole } from "../use-console.ts";
import { WebhookDeliveries } from "./webhook-deliveries.tsx";
import { webhooksText as words } from "./webhooks-text.ts";

type Webhook = Awaited<ReturnType<typeof listWebhooks>>["results"][number];

async function listWebhooks(calls: Client) {
  return await calls.call("/webhook/list", {});
}

/** A webhook with its deliveries and its actions. */
export function WebhookCard(props: {
  readonly webhook: Webhook;
  readonly onChanged: () => void;
  readonly onSecret: (secret: string) => void;
}) {
  const { webhook, onChanged, onSecret } = props;
  const { id, url, types, enabled, disabledReason, pending } = webhook;
  const { calls, attempt, rights } = useConsole();
  const [isDeleting, setDeleting] = useState(false);
  const [round, setRound] = useState(0);
  const mayUpdate = rights.value.holds("webhook.update");
  const act = (action: () => Promise<unknown>): void =>
    attempt(async () => {
      await action();
      setRound((last) => last + 1);
      onChanged();
    });
  const state = enabled ? words.enabled : disabledReason === null ? words.disabled : words.because(disabledReason);
  return (
    <li class="card">
      <strong>{url}</strong>
      <p class="hint">
        {[
          state,
          types.length === 0 ? words.everything : types.join(", "),
          ...(pending > 0 ? [words.pending(pending)] : []),
        ].join(" · ")}
      </p>
      <div class="row wrap">
        {mayUpdate && (
          <>
            <button type="button" class="button small" onClick={() => act(() => calls.call("/webhook/test", { id }))}>
              {words.test}
            </button>
            <button
              type="button"
              class="button small"
              onClick={() => act(() => calls.call("/webhook/update", { id, enabled: !enabled }))}
            >
              {enabled ? words.disable : words.enable}
            </button>
            <button
              type="button"
              class="button small"
              onClick={() => attempt(async () => onSecret((await calls.call("/webhook/rotate", { id })).secret))}
            >
              {words.rotate}
            </button>
          </>
        )}
        {rights.value.holds("webhook.delete") && (
          <button type="button" class="button small" onClick={() => setDeleting(true)}>
            {words.remove}
          </button>
        )}
      </div>
      <WebhookDeliveries webhookId={id} round={round} mayReplay={mayUpdate} />
      {isDeleting && (
        <ConfirmDialog
          title={words.removeTitle}
          confirm={words.remove}
          cancel={words.cancel}
          onConfirm={() =>
            attempt(async () => {
              await calls.call("/webhook/delete", { id });
              onChanged();
            })
          }
          onClose={() => setDeleting(false)}
        >
          {words.removeAbout(url)}
        </ConfirmDialog>
      )}
    </li>
  );
}

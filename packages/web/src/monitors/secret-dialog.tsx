import { useState } from "preact/hooks";
import { Dialog } from "../ui/dialog.tsx";
import { useConsole } from "../use-console.ts";
import { webhooksText as words } from "./webhooks-text.ts";

/** Shows a secret once; it is nowhere else on the page. */
export function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const { attempt } = useConsole();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
  return (
    <Dialog title={words.secretTitle} closeLabel={words.done} onClose={onClose}>
      <div class="dialog-body">
        <p>{words.secretAbout}</p>
        <code class="secret">{secret}</code>
      </div>
      <footer>
        <span class="spring" />
        <button type="button" class="button" onClick={() => attempt(copy)}>
          {isCopied ? words.copied : words.copy}
        </button>
        <button type="button" class="button primary" onClick={onClose}>
          {words.done}
        </button>
      </footer>
    </Dialog>
  );
}

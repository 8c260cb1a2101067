import { useState } from "preact/hooks";
import { IconButton } from "../ui/icon-button.tsx";
import { shareText } from "./share-text.ts";

/** A text to copy, which also can be selected by hand. */
export function CopyField({ name, value }: { readonly name: string; readonly value: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <label class="copy-field">
      <span class="label">
        <span>{name}</span>
        <span class="hint" role="status">
          {isCopied ? shareText.copied : ""}
        </span>
      </span>
      <span class="row">
        <input class="spring" type="text" readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
        <IconButton
          icon="copy"
          label={shareText.copy(name)}
          onClick={() => void navigator.clipboard.writeText(value).then(() => setCopied(true))}
        />
      </span>
    </label>
  );
}

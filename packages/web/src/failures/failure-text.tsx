import { ApiError } from "@swath/client";
import { useState } from "preact/hooks";
import { snippet } from "../calls/snippets.ts";
import { text } from "../text/en.ts";
import { useConsole } from "../use-console.ts";
import { isDenied, messageOf } from "./message-of.ts";

/** The reason, the person who can help, and code, request and call for the operator, folded away. */
export function FailureText({ error }: { readonly error: unknown }) {
  return (
    <>
      <p>{isDenied(error) ? text.errors.askAdministrator(messageOf(error)) : messageOf(error)}</p>
      {error instanceof ApiError && (
        <details>
          <summary>{text.errors.details}</summary>
          {`${error.status} ${error.code} ${error.requestId ?? ""} `}
          <CopyCall requestId={error.requestId} />
        </details>
      )}
    </>
  );
}

/** Copies the call that failed, as a command of curl. */
function CopyCall({ requestId }: Pick<ApiError, "requestId">) {
  const { attempt, recorder } = useConsole();
  const [isCopied, setCopied] = useState(false);
  const call = recorder.list.value.find((one) => one.requestId === requestId);
  if (requestId === null || call === undefined) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(snippet("curl", call, location.origin));
    setCopied(true);
  };
  return (
    <button type="button" class="link" onClick={() => attempt(copy)}>
      {isCopied ? text.errors.copied : text.errors.copyCall}
    </button>
  );
}

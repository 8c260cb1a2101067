import { ApiError } from "@swath/client";
import { callsText } from "../calls/calls-text.ts";
import { ScreenLink } from "../screens/screen-link.tsx";
import { text } from "../text/en.ts";
import { isDenied, messageOf } from "./message-of.ts";

/** The reason, the person who can help, and code and request for the operator, folded away. */
export function FailureText({ error }: { readonly error: unknown }) {
  return (
    <>
      <p>
        {messageOf(error)}
        {isDenied(error) && ` ${text.errors.askAdministrator}`}
      </p>
      {error instanceof ApiError && (
        <details>
          <summary>{text.errors.details}</summary>
          {`${error.status} ${error.code} ${error.requestId ?? ""} `}
          <ScreenLink screen="calls">{callsText.title}</ScreenLink>
        </details>
      )}
    </>
  );
}

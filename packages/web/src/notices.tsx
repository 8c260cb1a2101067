import { ApiError } from "@swath/client";
import { useState } from "preact/hooks";
import { messageOf } from "./find/search.ts";
import { text } from "./text/en.ts";
import { IconButton } from "./ui/icon-button.tsx";
import { useConsole } from "./use-console.ts";

/** The last failure, and the unreadable parts of the link. */
export function Notices() {
  const { error, droppedParts } = useConsole();
  const [isDroppedSeen, setDroppedSeen] = useState(false);
  const { value: problem } = error;
  return (
    <div class="notices">
      {droppedParts.length > 0 && !isDroppedSeen && (
        <div class="note warn" role="status">
          <span class="spring">{text.errors.dropped(droppedParts.join(", "))}</span>
          <IconButton icon="close" label={text.errors.close} onClick={() => setDroppedSeen(true)} />
        </div>
      )}
      {problem !== null && (
        <div class="note bad" role="alert">
          <div class="spring">
            <strong>{text.errors.title}</strong>
            <p>{messageOf(problem)}</p>
            {problem instanceof ApiError && (
              <details>
                <summary>{text.errors.details}</summary>
                {`${problem.status} ${problem.code} ${problem.requestId ?? ""}`}
              </details>
            )}
          </div>
          <IconButton
            icon="close"
            label={text.errors.close}
            onClick={() => {
              error.value = null;
            }}
          />
        </div>
      )}
    </div>
  );
}

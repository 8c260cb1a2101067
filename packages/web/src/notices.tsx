import { useState } from "preact/hooks";
import { FailureText } from "./failures/failure-text.tsx";
import { text } from "./text/en.ts";
import { IconButton } from "./ui/icon-button.tsx";
import { useConsole } from "./use-console.ts";

/** A service out of reach, the last failure, and the unreadable parts of the link. */
export function Notices() {
  const { error, droppedParts, tasks } = useConsole();
  const [isDroppedSeen, setDroppedSeen] = useState(false);
  const { value: problem } = error;
  return (
    <div class="notices">
      {tasks.isOffline.value && (
        <p class="note warn" role="status">
          {text.errors.offline}
        </p>
      )}
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
            <FailureText error={problem} />
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

import { useState } from "preact/hooks";
import { useConsole } from "../use-console.ts";
import { ingestText } from "./ingest-text.ts";

/** Asks for the one thing that a file may lack and a scene needs. */
export function TimeField({ uploadedKey }: { readonly uploadedKey: string }) {
  const { uploads } = useConsole();
  const [time, setTime] = useState("");
  return (
    <form
      class="form-grid"
      onSubmit={(event) => {
        event.preventDefault();
        if (time !== "") uploads.setTime(uploadedKey, { datetime: `${time}${time.length === 16 ? ":00" : ""}Z` });
      }}
    >
      <label>
        <span class="label">{ingestText.time}</span>
        <input
          type="datetime-local"
          step="1"
          max="9999-12-31T23:59:59"
          required
          value={time}
          onInput={(event) => setTime(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button primary">
        {ingestText.useTime}
      </button>
      <button type="button" class="link" onClick={() => uploads.setTime(uploadedKey, "of-ingest")}>
        {ingestText.timeUnknown}
      </button>
    </form>
  );
}

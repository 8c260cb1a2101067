import { useState } from "preact/hooks";
import { messageOf } from "../failures/message-of.ts";
import { useConsole } from "../use-console.ts";
import { ingestText } from "./ingest-text.ts";

/** Names bands that the file does not name: map types choose bands by their meaning. */
export function BandsField({ sceneId, bandCount }: { readonly sceneId: string; readonly bandCount: number }) {
  const { calls } = useConsole();
  const [names, setNames] = useState("");
  const [sensor, setSensor] = useState("");
  const [outcome, setOutcome] = useState<{ readonly isSaved: boolean; readonly message: string } | null>(null);
  const bands = names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const save = async (): Promise<void> => {
    await calls.call("/imagery/scene/edit", {
      sceneId,
      ...(bands.length === 0 ? {} : { bands }),
      ...(sensor === "" ? {} : { sensor }),
    });
    setOutcome({ isSaved: true, message: ingestText.saved });
  };
  return (
    <form
      class="form-grid"
      onSubmit={(event) => {
        event.preventDefault();
        save().catch((error: unknown) => setOutcome({ isSaved: false, message: messageOf(error) }));
      }}
    >
      <label>
        <span class="label">{`${ingestText.bandNames} (${bands.length}/${bandCount})`}</span>
        <input
          type="text"
          placeholder={ingestText.bandHint}
          value={names}
          onInput={(event) => setNames(event.currentTarget.value)}
        />
      </label>
      <label>
        <span class="label">{ingestText.sensor}</span>
        <input
          type="text"
          placeholder={ingestText.sensorHint}
          value={sensor}
          onInput={(event) => setSensor(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button" disabled={bands.length === 0 && sensor === ""}>
        {ingestText.saveBands}
      </button>
      {outcome !== null && (
        <p class={outcome.isSaved ? "hint" : "bad-text"} role="status">
          {outcome.message}
        </p>
      )}
    </form>
  );
}

import { useState } from "preact/hooks";
import { formatBytes } from "../format/bytes.ts";
import { formatShare } from "../format/numbers.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { ingestText } from "./ingest-text.ts";
import { SceneSummary } from "./scene-summary.tsx";
import { TimeField } from "./time-field.tsx";
import type { Upload } from "./upload.ts";
import { uploadKey } from "./uploads.ts";

/** Steps of an ingest. */
const STEPS = 6;

/** A file: how much of it has arrived, what stops it and the way on, its scenes at the end. */
export function UploadRow({ upload }: { readonly upload: Upload }) {
  const { uploads } = useConsole();
  const { key, name, phase, sentBytes, sizeBytes } = upload;
  const isSending = phase.kind === "sending" || phase.kind === "cut" || phase.kind === "waiting";
  const isReading = phase.kind === "reading";
  return (
    <li class="upload">
      <div class="row">
        <strong class="spring">{name}</strong>
        {isSending && (
          <button type="button" class="button small" onClick={() => uploads.pause(key)}>
            {ingestText.pause}
          </button>
        )}
        {phase.kind === "paused" && (
          <button type="button" class="button small" onClick={() => uploads.resume(key)}>
            {ingestText.resume}
          </button>
        )}
        <IconButton icon="close" label={ingestText.remove(name)} onClick={() => uploads.remove(key)} />
      </div>
      {phase.kind !== "done" && phase.kind !== "failed" && (
        <progress
          max={isReading ? STEPS : Math.max(1, sizeBytes)}
          value={isReading ? phase.step : sentBytes}
          aria-label={ingestText.progress(name)}
        />
      )}
      <p class={phase.kind === "cut" ? "warn-text" : "hint"} role="status">
        {(isSending || phase.kind === "paused") &&
          `${formatShare(sentBytes / Math.max(1, sizeBytes))}, ${ingestText.of(formatBytes(sentBytes), formatBytes(sizeBytes))}: `}
        {(isReading ? phase.message : null) ?? ingestText.phases[phase.kind]}
      </p>
      {phase.kind === "file-needed" && <ChooseAgain uploadedKey={key} />}
      {phase.kind === "time-needed" && <TimeField uploadedKey={key} />}
      {phase.kind === "failed" && (
        <div class="note bad" role="alert">
          <div>
            <p>{phase.message}</p>
            <p>{ingestText.wayOut[phase.code ?? ""] ?? ""}</p>
            <button type="button" class="button small" onClick={() => uploads.resume(key)}>
              {ingestText.again}
            </button>
          </div>
        </div>
      )}
      {phase.kind === "done" && phase.scenes.map((scene) => <SceneSummary key={scene.sceneId} scene={scene} />)}
    </li>
  );
}

/** Only the user can give the page a file again after a reload. */
function ChooseAgain({ uploadedKey }: { readonly uploadedKey: string }) {
  const { uploads } = useConsole();
  const [isOther, setOther] = useState(false);
  return (
    <>
      <label class="button small">
        {ingestText.chooseAgain}
        <input
          type="file"
          class="unseen"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file === undefined) return;
            setOther(uploadKey(file) !== uploadedKey);
            if (uploadKey(file) === uploadedKey) uploads.add([file]);
          }}
        />
      </label>
      {isOther && (
        <p class="bad-text" role="alert">
          {ingestText.otherFile}
        </p>
      )}
    </>
  );
}

import { ingestText } from "./ingest-text.ts";
import { text } from "../text/en.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { UploadRow } from "./upload-row.tsx";

/** Sends imagery of the user, and states how the service understood it. */
export function IngestScreen() {
  const { uploads, open, rights } = useConsole();
  const { value: list } = uploads.list;
  const mayIngest = rights.value.holds(ingestText.permission);
  return (
    <section class="side" aria-label={ingestText.title}>
      <header>
        <h2 class="spring">{ingestText.title}</h2>
        <IconButton icon="close" label={ingestText.close} onClick={() => open("")} />
      </header>
      <div class="side-body">
        {!mayIngest && <p class="note warn">{text.errors.permission(ingestText.permission)}</p>}
        {list.length === 0 && <p class="hint">{ingestText.purpose}</p>}
        {mayIngest && (
          <div class="drop-zone">
            <label class="button primary">
              {ingestText.choose}
              <input
                type="file"
                class="unseen"
                multiple
                accept=".tif,.tiff,.geotiff,.gtiff,.zip"
                onChange={(event) => {
                  uploads.add([...(event.currentTarget.files ?? [])]);
                  // The same file may be chosen again.
                  event.currentTarget.value = "";
                }}
              />
            </label>
            <p class="hint">{ingestText.drop}</p>
            <p class="hint">{ingestText.price}</p>
          </div>
        )}
        {list.length > 0 && (
          <ul class="uploads" aria-label={ingestText.files}>
            {list.map((upload) => (
              <UploadRow key={upload.key} upload={upload} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

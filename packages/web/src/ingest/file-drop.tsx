import { useConsole } from "../use-console.ts";
import { ingestText } from "./ingest-text.ts";
import { useFileDrop } from "./use-file-drop.ts";

/** The whole page takes files: imagery is ingested. */
export function FileDrop() {
  const { uploads, open, session } = useConsole();
  const isOver = useFileDrop((files) => {
    if (session.state.value.kind !== "signed-in") return;
    uploads.add(files);
    open("ingest");
  });
  if (!isOver) return null;
  return <p class="drop-here">{ingestText.dropHere}</p>;
}

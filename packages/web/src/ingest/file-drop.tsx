import { isAreaFile } from "../area/is-area-file.ts";
import { useAreaFile } from "../area/use-area-file.ts";
import { useConsole } from "../use-console.ts";
import { ingestText } from "./ingest-text.ts";
import { useFileDrop } from "./use-file-drop.ts";

/** The whole page takes files: imagery is ingested, an outline becomes the area. */
export function FileDrop() {
  const { uploads, open, session, attempt } = useConsole();
  const { takeFile } = useAreaFile(() => {});
  const isOver = useFileDrop((files) => {
    if (session.state.value.kind !== "signed-in") return;
    attempt(async () => {
      const isArea = await Promise.all(files.map(isAreaFile));
      const [area] = files.filter((_, position) => isArea[position]);
      const imagery = files.filter((_, position) => isArea[position] !== true);
      if (area !== undefined) takeFile(area);
      uploads.add(imagery);
      open(imagery.length > 0 ? "ingest" : "");
    });
  });
  if (!isOver) return null;
  return <p class="drop-here">{ingestText.dropHere}</p>;
}

import { useState } from "preact/hooks";
import { ScreenLink } from "../screens/screen-link.tsx";
import { Failure } from "../ui/failure.tsx";
import { Skeletons } from "../ui/skeletons.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { useConsole } from "../use-console.ts";
import { analysesText } from "./analyses-text.ts";
import { analysisName, listAnalyses, type Analysis } from "./analysis.ts";
import { folderTree, type Folder } from "./folder-tree.ts";
import { ImportButton } from "./import-button.tsx";

/** All analyses with rights of the user, in their folders. */
export function AnalysisList() {
  const { calls, attempt } = useConsole();
  const [more, setMore] = useState<readonly Analysis[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const [tag, setTag] = useState("");
  const page = useLoaded(async (signal) => {
    const first = await listAnalyses(calls, null, signal);
    setMore([]);
    setCursor(first.cursor);
    return first.results;
  }, []);
  if (page.error !== null) return <Failure error={page.error} onRetry={page.reload} />;
  if (page.value === null) return <Skeletons label={analysesText.title} />;
  const all = [...page.value, ...more];
  const tags = [...new Set(all.flatMap((one) => one.tags))].toSorted();
  const root = folderTree(all.filter((one) => tag === "" || one.tags.includes(tag)));
  return (
    <div class="side-body">
      {all.length === 0 && (
        <>
          <h3>{analysesText.none}</h3>
          <p>{analysesText.about}</p>
        </>
      )}
      <div class="row wrap">
        <ScreenLink screen="analyses" parts={["new"]} class={`button ${all.length === 0 ? "primary" : ""}`}>
          {analysesText.new}
        </ScreenLink>
        <ImportButton />
      </div>
      {tags.length > 0 && (
        <label class="field">
          {analysesText.tag}
          <select value={tag} onChange={(event) => setTag(event.currentTarget.value)}>
            <option value="">{analysesText.allTags}</option>
            {tags.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      )}
      <FolderContent folder={root} />
      {cursor !== null && (
        <button
          type="button"
          class="button"
          onClick={() =>
            attempt(async () => {
              const next = await listAnalyses(calls, cursor);
              setMore([...more, ...next.results]);
              setCursor(next.cursor);
            })
          }
        >
          {analysesText.more}
        </button>
      )}
    </div>
  );
}

function FolderContent({ folder }: { readonly folder: Folder<Analysis> }) {
  return (
    <>
      {folder.folders.map((inner) => (
        <details key={inner.path} class="folder" open>
          <summary aria-label={analysesText.folder(inner.name, inner.count)}>
            {inner.name} <span class="hint">{inner.count}</span>
          </summary>
          <FolderContent folder={inner} />
        </details>
      ))}
      {folder.items.length > 0 && (
        <ul class="cards">
          {folder.items.map((analysis) => (
            <AnalysisCard key={analysis.id} analysis={analysis} />
          ))}
        </ul>
      )}
    </>
  );
}

function AnalysisCard({ analysis }: { readonly analysis: Analysis }) {
  const { id, status, tags, analysisFrames } = analysis;
  return (
    <li class="card">
      <div class="row">
        <ScreenLink screen="analyses" parts={[id]} class="spring">
          <strong>{analysisName(analysis)}</strong>
        </ScreenLink>
        <span class={status === 4 ? "bad-text" : "hint"}>{analysesText.status[status]}</span>
      </div>
      <p class="hint">
        {analysesText.frames} {analysisFrames.length}
        {analysis.public && ` · ${analysesText.public}`}
      </p>
      <Tags tags={tags} />
    </li>
  );
}

export function Tags({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <p class="row wrap">
      {tags.map((tag) => (
        <span key={tag} class="chip">
          {tag}
        </span>
      ))}
    </p>
  );
}

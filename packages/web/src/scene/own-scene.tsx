import { useState } from "preact/hooks";
import type { Client } from "@swath/client";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { useConsole } from "../use-console.ts";
import { sceneText as text } from "./scene-text.ts";

type Owned = Awaited<ReturnType<typeof readOwned>>;

/** The scene as its owner sees it; null for a scene of somebody else. */
async function readOwned(calls: Client, sceneId: string, signal: AbortSignal) {
  const { results } = await calls.call("/imagery/scene/list", { sceneId }, { signal });
  return results[0] ?? null;
}

const CHOICES = ["group", "organization", "public"] as const;

/** Visibility and deletion of an uploaded scene; nothing for scenes of others. */
export function OwnScene({ sceneId }: { readonly sceneId: string }) {
  const { calls, rights, attempt } = useConsole();
  const mayOwn = rights.value.holds("ingest-scene");
  const owned = useLoaded(async (signal) => (mayOwn ? await readOwned(calls, sceneId, signal) : null), [mayOwn]);
  const [isAsking, setAsking] = useState(false);
  const { value: scene } = owned;
  if (scene === null) return null;
  const change = (work: () => Promise<unknown>): void =>
    attempt(async () => {
      await work();
      owned.reload();
    });
  if (scene.deletedAt !== null) {
    return <Deleted scene={scene} onRestore={() => change(() => calls.call("/imagery/scene/restore", { sceneId }))} />;
  }
  return (
    <section class="stack" aria-label={text.own}>
      <h3>{text.own}</h3>
      <label class="field">
        <span>{text.visibility}</span>
        <select
          value={scene.visibility}
          onChange={({ currentTarget }) => {
            const visibility = CHOICES.find((one) => one === currentTarget.value) ?? "group";
            change(() => calls.call("/imagery/scene/set-visibility", { sceneId, visibility }));
          }}
        >
          {CHOICES.map((one) => (
            <option key={one} value={one}>
              {text.visibilities[one]}
            </option>
          ))}
        </select>
      </label>
      <button type="button" class="button back" onClick={() => setAsking(true)}>
        {text.remove}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={text.removeQuestion}
          confirm={text.remove}
          cancel={text.cancel}
          onConfirm={() => change(() => calls.call("/imagery/scene/delete", { sceneId }))}
          onClose={() => setAsking(false)}
        >
          {text.removeText}
        </ConfirmDialog>
      )}
    </section>
  );
}

function Deleted({ scene, onRestore }: { readonly scene: NonNullable<Owned>; readonly onRestore: () => void }) {
  return (
    <section class="stack" aria-label={text.own}>
      <p class="note warn" role="status">
        {text.removed(scene.restorableUntil ?? "")}
      </p>
      <button type="button" class="button" onClick={onRestore}>
        {text.restore}
      </button>
    </section>
  );
}

import { useEffect, useState } from "preact/hooks";
import { useConsole } from "../use-console.ts";
import { heldText } from "./held-text.ts";
import { readHeld, type HeldAreas } from "./read-held.ts";

const NONE: HeldAreas = { shapes: [], hasMore: false };

/** Hatches what the group holds: of the ticked scenes always, of all scenes where somebody wishes it. */
export function HeldLayer({ isListed }: { readonly isListed: boolean }) {
  const { calls, map, rights, ticked, credit, session, attempt } = useConsole();
  const [isAllShown, setAllShown] = useState(false);
  const [held, setHeld] = useState(NONE);
  const mayList = session.state.value.kind === "signed-in" && rights.value.holds(heldText.permission);
  const sceneIds = isAllShown ? null : [...ticked.value].toSorted();
  // The price of new maps is the sign that more is held.
  const conditions = JSON.stringify([mayList, sceneIds, credit.value]);
  useEffect(() => {
    if (!mayList || sceneIds?.length === 0) return setHeld(NONE);
    const abort = new AbortController();
    attempt(async () => {
      const read = await readHeld(calls, sceneIds, abort.signal).catch((error: unknown) => {
        if (abort.signal.aborted) return NONE;
        throw error;
      });
      if (!abort.signal.aborted) setHeld(read);
    });
    return () => abort.abort();
  }, [conditions]);
  useEffect(() => {
    map.showShapes("held", held.shapes.length === 0 ? null : { shapes: held.shapes });
  }, [held]);
  useEffect(() => () => map.showShapes("held", null), []);
  if (!mayList || !isListed) return null;
  return (
    <label class="layer row" data-held-areas={held.shapes.length}>
      <input type="checkbox" checked={isAllShown} onChange={(event) => setAllShown(event.currentTarget.checked)} />
      <i class="held-sample" />
      <span class="spring">{heldText.title}</span>
      {held.shapes.length > 0 && (
        <span class="hint">{held.hasMore ? heldText.newest(held.shapes.length) : held.shapes.length}</span>
      )}
    </label>
  );
}

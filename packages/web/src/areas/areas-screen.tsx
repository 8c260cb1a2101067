import { useEffect } from "preact/hooks";
import { ScreenLink } from "../screens/screen-link.tsx";
import type { ScreenProps } from "../screens/screen.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { areasText } from "./areas-text.ts";
import { SavedAreas } from "./saved-areas.tsx";
import { StoredLayers } from "./stored-layers.tsx";

/** Saved areas and the layers of the feature store, beside the map. */
export function AreasScreen({ parts }: ScreenProps) {
  const { open, map, rights } = useConsole();
  useEffect(() => () => map.showShapes("areas", null), []);
  return (
    <section class="side" aria-label={areasText.title}>
      <header>
        <h2 class="unseen">{areasText.title}</h2>
        <nav class="tabs spring" aria-label={areasText.views}>
          <ScreenLink screen="areas" parts={[]}>
            {areasText.saved}
          </ScreenLink>
          {rights.value.holds("geojsondb.search") && (
            <ScreenLink screen="areas" parts={["layers"]}>
              {areasText.layers}
            </ScreenLink>
          )}
        </nav>
        <IconButton icon="close" label={areasText.close} onClick={() => open("")} />
      </header>
      {parts[0] === "layers" ? <StoredLayers collection={parts[1] ?? null} /> : <SavedAreas />}
    </section>
  );
}

import { useState } from "preact/hooks";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import type { ScreenProps } from "../screens/screen.ts";
import { ExportForm } from "./export-form.tsx";
import { ExportList } from "./export-list.tsx";
import { exportText } from "./export-text.ts";

/** Files of the maps on screen. The address names the map of the choice. */
export function ExportScreen({ parts: [mapId = ""] }: ScreenProps) {
  const { layers, open } = useConsole();
  const [started, setStarted] = useState<readonly string[]>([]);
  const maps = layers.list.value.filter(({ facts }) => facts !== null && facts !== "failed");
  const chosen = maps.find((one) => one.mapId === mapId) ?? maps[0];
  return (
    <section class="side" aria-label={exportText.title}>
      <header>
        <h2 class="spring">{exportText.title}</h2>
        <IconButton icon="close" label={exportText.close} onClick={() => open("")} />
      </header>
      <div class="side-body">
        {chosen === undefined ? (
          <p class="hint">{exportText.none}</p>
        ) : (
          <ExportForm
            key={chosen.mapId}
            map={chosen}
            maps={maps}
            onStarted={(pipelineId) => setStarted([pipelineId, ...started])}
          />
        )}
        {started.length > 0 && <ExportList pipelineIds={started} />}
      </div>
    </section>
  );
}

import { useEffect } from "preact/hooks";
import type { ScreenProps } from "../screens/screen.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { AnalysisCreate } from "./analysis-create.tsx";
import { AnalysisList } from "./analysis-list.tsx";
import { AnalysisView } from "./analysis-view.tsx";
import { analysesText } from "./analyses-text.ts";

/** Saved projects beside the map. */
export function AnalysesScreen({ parts }: ScreenProps) {
  const { open, map } = useConsole();
  const [first] = parts;
  useEffect(() => () => map.showShapes("analysis", null), []);
  return (
    <section class="side analyses" aria-label={analysesText.title}>
      <header>
        <h2 class="spring">{analysesText.title}</h2>
        <IconButton icon="close" label={analysesText.close} onClick={() => open("")} />
      </header>
      {first === undefined && <AnalysisList />}
      {first === "new" && <AnalysisCreate />}
      {first !== undefined && first !== "new" && <AnalysisView key={first} analysisId={first} />}
    </section>
  );
}

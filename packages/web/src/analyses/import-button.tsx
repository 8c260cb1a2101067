import { useRef, useState } from "preact/hooks";
import { messageOf } from "../failures/message-of.ts";
import { useConsole } from "../use-console.ts";
import { analysesText } from "./analyses-text.ts";

/** Makes an analysis of an exported zip. */
export function ImportButton() {
  const { calls, open, rights } = useConsole();
  const input = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly problem: string | null }>({
    isBusy: false,
    problem: null,
  });
  if (!rights.value.holds("ingest-scene")) return null;
  const take = async (file: File): Promise<void> => {
    setState({ isBusy: true, problem: null });
    try {
      const { filepath } = await calls.sendFile(file, { uploadSuffix: ".zip", filename: "analysis" });
      const { analysisId } = await calls.run("/analytics/analysis/import", { filepath });
      open("analyses", analysisId);
    } catch (error) {
      setState({ isBusy: false, problem: messageOf(error) });
    }
  };
  return (
    <>
      <button type="button" class="button" disabled={state.isBusy} onClick={() => input.current?.click()}>
        {state.isBusy ? analysesText.making : analysesText.import}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".zip"
        aria-label={analysesText.import}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = "";
          if (file !== undefined) void take(file);
        }}
      />
      {state.problem !== null && (
        <p class="note bad" role="alert">
          {state.problem}
        </p>
      )}
    </>
  );
}

import { useState } from "preact/hooks";
import { messageOf } from "../failures/message-of.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useConsole } from "../use-console.ts";
import { analysesText } from "./analyses-text.ts";
import { analysisName, type Analysis } from "./analysis.ts";

interface File {
  readonly label: string;
  readonly url: string;
  readonly note: string;
}

/** A button for everything that the user may do with an analysis; the service has the last word. */
export function AnalysisActions(props: {
  readonly analysis: Analysis;
  readonly onShow: () => void;
  readonly onEdit: () => void;
  readonly onAdd: () => void;
}) {
  const { analysis } = props;
  const { calls, attempt, open, rights, session } = useConsole();
  const [isDeleting, setDeleting] = useState(false);
  const { value: user } = session.state;
  const isOwner = user.kind === "signed-in" && user.userId === analysis.userId;
  const mayCall = rights.value.holds("analytics.analysis.api");
  const copy = async (): Promise<void> => {
    const { analysisId } = await calls.call("/analytics/analysis/copy", { analysisId: analysis.id });
    open("analyses", analysisId);
  };
  const remove = async (): Promise<void> => {
    await calls.call("/analytics/analysis/delete", { analysisId: analysis.id });
    open("analyses");
  };
  return (
    <>
      <div class="row wrap">
        {analysis.analysisFrames.length > 0 && <Action onClick={props.onShow}>{analysesText.showAll}</Action>}
        {mayCall && (
          <>
            <Action onClick={props.onEdit}>{analysesText.change}</Action>
            <Action onClick={props.onAdd}>{analysesText.addMaps}</Action>
            <Action onClick={() => attempt(copy)}>{analysesText.copy}</Action>
          </>
        )}
        {isOwner && mayCall && <Action onClick={() => setDeleting(true)}>{analysesText.remove}</Action>}
      </div>
      {rights.value.holds("analytics.analysis.download.report") && <Files analysis={analysis} />}
      {isDeleting && (
        <ConfirmDialog
          title={analysesText.removeTitle(analysisName(analysis))}
          confirm={analysesText.remove}
          cancel={analysesText.cancel}
          onConfirm={() => attempt(remove)}
          onClose={() => setDeleting(false)}
        >
          {analysesText.removeAbout}
        </ConfirmDialog>
      )}
    </>
  );
}

function Action({ onClick, children }: { readonly onClick: () => void; readonly children: string }) {
  return (
    <button type="button" class="button small" onClick={onClick}>
      {children}
    </button>
  );
}

/** The zip and the report of an analysis, made when they are asked for. */
function Files({ analysis: { id: analysisId } }: { readonly analysis: Analysis }) {
  const { calls, tasks } = useConsole();
  const [isBusy, setBusy] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const make = (action: () => Promise<File>): void => {
    setBusy(true);
    setProblem(null);
    setFile(null);
    tasks.look();
    action()
      .then(setFile, (error: unknown) => setProblem(messageOf(error)))
      .finally(() => setBusy(false));
  };
  const zip = async (): Promise<File> => {
    const { url, mapsWithoutFiles } = await calls.run("/analytics/analysis/export", { analysisId });
    const note = mapsWithoutFiles === 0 ? "" : analysesText.withoutFiles(mapsWithoutFiles);
    return { label: analysesText.downloadZip, url, note };
  };
  const report = async (): Promise<File> => {
    const { url } = await calls.run("/mapsvc/pdf-report", { analysisId });
    return { label: analysesText.downloadReport, url, note: "" };
  };
  return (
    <>
      <div class="row wrap">
        <button type="button" class="button small" disabled={isBusy} onClick={() => make(zip)}>
          {analysesText.export}
        </button>
        <button type="button" class="button small" disabled={isBusy} onClick={() => make(report)}>
          {analysesText.report}
        </button>
        <span class="hint" role="status">
          {isBusy ? analysesText.making : ""}
        </span>
      </div>
      {file !== null && (
        <p>
          <a href={file.url} download="">
            {file.label}
          </a>{" "}
          {file.note}
        </p>
      )}
      {problem !== null && (
        <p class="note bad" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

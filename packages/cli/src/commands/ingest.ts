import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { CommandError, judge } from "../exit-code.ts";
import { rememberSeen } from "../remember.ts";
import { sceneDocumentFor, type MetadataOptions } from "../scene-document.ts";
import { understoodLines } from "../understood-lines.ts";
import { openUpload, uploadScene, type IngestedScene } from "../upload-scene.ts";

export interface IngestOptions extends MetadataOptions {
  readonly provider: string;
  readonly dataset?: string;
  /** Accept files whose time of acquisition nothing states. */
  readonly timeUnknown?: boolean;
}

/** `swath ingest`: one file after the other; goes on after a file that is refused and fails at the end. */
export async function ingest(context: CommandContext, options: IngestOptions, files: readonly string[]): Promise<void> {
  const { output, signal } = context;
  const uploads = [];
  for (const file of files)
    uploads.push({ file, upload: await openUpload(file, await sceneDocumentFor(file, options)) });
  const client = await connect(context);
  const ingested: (IngestedScene & { readonly file: string })[] = [];
  const failed: { readonly file: string; readonly error: string; readonly errorMessage: string }[] = [];
  let firstFailure: unknown = null;
  for (const { file, upload } of uploads) {
    signal.throwIfAborted();
    try {
      const scenes = await uploadScene(client, upload, {
        provider: options.provider,
        ...(options.dataset === undefined ? {} : { dataset: options.dataset }),
        requireDatetime: options.timeUnknown !== true,
        progress: (total) => output.progress(upload.name.slice(0, 12), total),
        signal,
      });
      for (const scene of scenes) ingested.push({ file, ...scene });
    } catch (error) {
      signal.throwIfAborted();
      firstFailure ??= error;
      const verdict = judge(error);
      failed.push({ file, error: verdict.code ?? "ERROR", errorMessage: verdict.message });
      if (files.length > 1)
        output.note(`${file}: ${verdict.code === null ? "" : `${verdict.code}: `}${verdict.message}`);
    }
  }
  if (failed.length > 0 && ingested.length === 0 && files.length === 1) throw firstFailure;
  await rememberSeen(context, { scenes: ingested.map(({ sceneId }) => sceneId) });
  output.result(
    { ingestedScenes: ingested, failed },
    ingested.flatMap(({ file, sceneId, duplicate, understood, warnings = [] }) => [
      `${sceneId}  ${file}${duplicate ? " (already there)" : ""}`,
      ...(understood === undefined ? [] : understoodLines(understood).map((line) => `  ${line}`)),
      ...warnings.map(({ message }) => `  warning: ${message}`),
    ]),
  );
  if (failed.length > 0) {
    throw new CommandError(`${failed.length} of ${files.length} files were not ingested`, judge(firstFailure).exitCode);
  }
}

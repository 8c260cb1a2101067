import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { CommandError, judge } from "../exit-code.ts";
import { sceneDocumentFor, type MetadataOptions } from "../scene-document.ts";
import { openUpload, uploadScene } from "../upload-scene.ts";

export interface IngestOptions extends MetadataOptions {
  readonly provider: string;
  readonly dataset?: string;
}

/** `swath ingest`: one file after the other; goes on after a file that is refused and fails at the end. */
export async function ingest(context: CommandContext, options: IngestOptions, files: readonly string[]): Promise<void> {
  const { output, signal } = context;
  const uploads = [];
  for (const file of files)
    uploads.push({ file, upload: await openUpload(file, await sceneDocumentFor(file, options)) });
  const client = await connect(context);
  const ingested: { readonly file: string; readonly sceneId: string; readonly duplicate: boolean }[] = [];
  const failed: { readonly file: string; readonly error: string; readonly errorMessage: string }[] = [];
  let firstFailure: unknown = null;
  for (const { file, upload } of uploads) {
    signal.throwIfAborted();
    try {
      const scenes = await uploadScene(client, upload, {
        provider: options.provider,
        ...(options.dataset === undefined ? {} : { dataset: options.dataset }),
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
  output.result(
    { ingestedScenes: ingested, failed },
    ingested.map(({ file, sceneId, duplicate }) => `${sceneId}  ${file}${duplicate ? " (already there)" : ""}`),
  );
  if (failed.length > 0) {
    throw new CommandError(`${failed.length} of ${files.length} files were not ingested`, judge(firstFailure).exitCode);
  }
}

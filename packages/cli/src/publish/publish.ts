import { PUBLICATION_FILE, PUBLICATION_FORMAT, type Publication } from "@swath/kernel/publication/publication";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { UsageError } from "../exit-code.ts";
import { draftPublication } from "./publication-folder.ts";
import { publishMap } from "./publish-map.ts";
import { sizeLimit } from "./size-limit.ts";
import { writeViewer } from "./viewer-files.ts";
import { wantedMaps } from "./wanted-maps.ts";

export interface PublishOptions {
  readonly title?: string;
  readonly replace?: boolean;
  readonly mostMegabytes: number;
}

/** `swath publish`: writes maps and their viewer to a folder that any web server serves. */
export async function publish(
  context: CommandContext,
  { title, replace = false, mostMegabytes }: PublishOptions,
  given: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const folder = given.at(-1) ?? "";
  const sources = given.slice(0, -1);
  if (sources.length === 0) throw new UsageError("got one argument, expected an analysis or maps, then a folder");
  const client = await connect(context);
  const wanted = await wantedMaps(context, client, sources);
  await using draft = await draftPublication(folder, replace);
  const size = sizeLimit(mostMegabytes);
  const publisher = { client, draft, size, hidesFeatures: wanted.hidesFeatures, signal };
  const progress = output.progress("publish", wanted.maps.length);
  const maps: Publication["maps"][number][] = [];
  try {
    for (const [position, map] of wanted.maps.entries()) {
      progress.update(position, map.mapType);
      maps.push(await publishMap(publisher, map, position));
    }
  } finally {
    progress.stop();
  }
  const document: Publication = {
    format: PUBLICATION_FORMAT,
    version: 1,
    title: title ?? wanted.title,
    description: wanted.description,
    maps,
  };
  await draft.write(PUBLICATION_FILE, `${JSON.stringify(document, null, 2)}\n`);
  await writeViewer(draft);
  await draft.publish();
  const megabytes = (size.takenBytes / 1e6).toFixed(1);
  output.result({ folder, maps: maps.length, size: size.takenBytes }, [
    `${folder}: ${maps.length} maps, ${megabytes} MB. Any web server serves it; index.html is its page.`,
  ]);
}

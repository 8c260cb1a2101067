import type { ImportAnswer } from "@swath/client";
import { sceneIdPrefix } from "@swath/kernel/scenes/scene-id";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { CommandError, UsageError } from "../exit-code.ts";
import { partsOf, type ItemPart } from "./item-part.ts";
import { itemTexts } from "./item-texts.ts";

interface ImportOptions {
  readonly dataset: string;
  readonly base?: string;
}

/** Parts under way: the service reads one while it writes the other. */
const AT_ONCE = 2;
const MAX_TOLD = 20;
const TOLD_EVERY = 100_000;

/** `swath stac import`: registers the items of catalogues, part by part. */
export async function importItems(
  context: CommandContext,
  { dataset, base }: ImportOptions,
  sources: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const collectionId = collectionOf(dataset);
  const address = base === undefined ? null : baseOf(base);
  const client = await connect(context);
  const startedMs = performance.now();
  const total: Totals = { lines: 0, created: 0, replaced: 0, unchanged: 0, refused: 0, refusals: [] };
  const parts = partsOf(allTexts(sources, address));
  let told = 0;
  await inTurns(parts, AT_ONCE, async (part) => {
    signal.throwIfAborted();
    const firstLine = total.lines;
    total.lines += part.lines;
    add(total, await client.importItems(collectionId, part.bytes, { signal }), firstLine);
    const done = total.created + total.replaced + total.unchanged;
    if (done - told < TOLD_EVERY) return;
    told = done;
    output.note(`${done} items`);
  });
  const seconds = (performance.now() - startedMs) / 1000;
  const { lines: _, ...counts } = total;
  output.result({ ...counts, seconds }, shown(total, seconds));
  if (total.refused > 0 && total.created + total.replaced + total.unchanged === 0) {
    throw new CommandError("no item was registered");
  }
}

interface Totals {
  lines: number;
  created: number;
  replaced: number;
  unchanged: number;
  refused: number;
  readonly refusals: ImportAnswer["refusals"];
}

function add(total: Totals, answer: ImportAnswer, firstLine: number): void {
  total.created += answer.created;
  total.replaced += answer.replaced;
  total.unchanged += answer.unchanged;
  total.refused += answer.refused;
  const room = MAX_TOLD - total.refusals.length;
  total.refusals.push(
    ...answer.refusals.slice(0, room).map((one) => ({ ...one, line: one.line === 0 ? 0 : firstLine + one.line })),
  );
}

function shown({ created, replaced, unchanged, refused, refusals }: Totals, seconds: number): readonly string[] {
  const items = created + replaced + unchanged + refused;
  const rate = Math.round(items / Math.max(seconds, 0.001));
  return [
    `${created} created, ${replaced} replaced, ${unchanged} unchanged, ${refused} refused (${rate} items/s)`,
    ...refusals.map(
      ({ line, id, reason }) => `  ${line === 0 ? "item" : `line ${line}`}${id === null ? "" : ` ${id}`}: ${reason}`,
    ),
    ...(refused > refusals.length ? [`  and ${refused - refusals.length} more`] : []),
    ...(created + replaced > 0 ? ["files are read when a scene is first released"] : []),
  ];
}

/** @throws {UsageError} */
function collectionOf(name: string): string {
  const [, provider, dataset] = /^([^/]+)\/(.+)$/u.exec(name) ?? [];
  if (provider === undefined || dataset === undefined) {
    throw new UsageError(`--dataset is "${name}", expected provider/dataset such as local/uploads`);
  }
  return sceneIdPrefix(provider, dataset).slice(0, -1);
}

/** @throws {UsageError} */
function baseOf(text: string): string {
  if (!URL.canParse(text))
    throw new UsageError(`--base is "${text}", expected an address such as https://data.example.com/catalog/`);
  return text.endsWith("/") ? text : `${text}/`;
}

async function* allTexts(sources: readonly string[], base: string | null): AsyncGenerator<Buffer> {
  for (const source of sources) yield* itemTexts(source, base);
}

/** Works on so many parts at a time; the next part is read when one is done. */
async function inTurns(
  parts: AsyncGenerator<ItemPart>,
  count: number,
  work: (part: ItemPart) => Promise<void>,
): Promise<void> {
  const worker = async (): Promise<void> => {
    // Generators serve one reader after the other.
    for (let next = await parts.next(); next.done !== true; next = await parts.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: count }, worker));
}

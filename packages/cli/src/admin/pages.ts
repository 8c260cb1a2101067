/** A page of any list of the service. */
interface Page<Row> {
  readonly results: readonly Row[];
  readonly cursor: string | null;
}

/** Rows of a list, and whether more follow. */
export interface Rows<Row> {
  readonly results: readonly Row[];
  readonly complete: boolean;
}

/** The largest page that every list of users, groups and credit gives. */
const PAGE_SIZE = 500;

/** Pages through a list until its end or the limit. */
export async function readPages<Row>(
  limit: number,
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Row>>,
): Promise<Rows<Row>> {
  const results: Row[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Row> = await read({
      limit: Math.min(PAGE_SIZE, limit - results.length),
      ...(cursor === null ? {} : { cursor }),
    });
    results.push(...page.results);
    cursor = page.cursor;
  } while (cursor !== null && results.length < limit);
  return { results, complete: cursor === null };
}

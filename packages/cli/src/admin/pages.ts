/** A page of any list of the service. */
interface Page<Row, Cursor> {
  readonly results: readonly Row[];
  readonly cursor: Cursor | null;
}

/** Rows of a list, and whether more follow. */
export interface Rows<Row> {
  readonly results: readonly Row[];
  readonly complete: boolean;
}

/** The largest page that every list of users, groups and credit gives. */
const PAGE_SIZE = 500;

/** Pages through a list until its end or the limit. @param pageSize the largest page of the list */
export async function readPages<Row, Cursor extends string | number = string>(
  limit: number,
  read: (page: { readonly limit: number; readonly cursor?: Cursor }) => Promise<Page<Row, Cursor>>,
  pageSize = PAGE_SIZE,
): Promise<Rows<Row>> {
  const results: Row[] = [];
  let cursor: Cursor | null = null;
  do {
    const page: Page<Row, Cursor> = await read({
      limit: Math.min(pageSize, limit - results.length),
      ...(cursor === null ? {} : { cursor }),
    });
    results.push(...page.results);
    cursor = page.cursor;
  } while (cursor !== null && results.length < limit);
  return { results, complete: cursor === null };
}

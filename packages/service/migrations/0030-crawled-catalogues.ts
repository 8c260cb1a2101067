import { sql, type Kysely } from "kysely";

/** Documents and items of static catalogues, so that searches ask no host. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // settings: digest; others begin anew. crawl: number of the latest crawl. claimed_until: a process works on it.
  await sql`
    create table crawls (
      crawl_key integer generated always as identity,
      provider text collate "C" not null,
      dataset text collate "C" not null,
      settings text collate "C" not null,
      crawl integer not null default 0,
      due_at timestamptz not null,
      claimed_until timestamptz,
      indexed_at timestamptz,
      fault text,
      constraint crawls_pkey primary key (crawl_key),
      constraint crawls_name_unique unique (provider, dataset)
    )
  `.execute(db);
  // links: JSON of the documents that a catalogue names. crawl: the latest crawl that met the document.
  await sql`
    create table crawled_documents (
      crawl_key integer not null,
      url text collate "C" not null,
      crawl integer not null,
      etag text,
      last_modified text,
      links text not null,
      constraint crawled_documents_pkey primary key (crawl_key, url),
      constraint crawled_documents_crawl_fkey foreign key (crawl_key) references crawls (crawl_key) on delete cascade
    )
  `.execute(db);
  // Serves the removal of documents that a crawl did not meet.
  await sql`create index crawled_documents_crawl on crawled_documents (crawl_key, crawl)`.execute(db);
  // item: JSON as text, because jsonb refuses some texts of strangers. bbox: unwrapped, as of scenes.
  await sql`
    create table crawled_items (
      crawl_key integer not null,
      url text collate "C" not null,
      scene_id text collate "C" not null,
      acquired_at timestamptz not null,
      bbox box not null,
      item text not null,
      constraint crawled_items_pkey primary key (crawl_key, url),
      constraint crawled_items_document_fkey foreign key (crawl_key, url)
        references crawled_documents (crawl_key, url) on delete cascade
    )
  `.execute(db);
  // Serves search, as scenes_search does.
  await sql`create index crawled_items_search on crawled_items using gist (crawl_key, bbox, acquired_at)`.execute(db);
  await sql`create index crawled_items_scene on crawled_items (crawl_key, scene_id)`.execute(db);
}

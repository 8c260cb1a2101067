import type { Generated, GeneratedAlways } from "kysely";

/** Row types of migration 0030. */
export interface CrawlTables {
  crawls: {
    crawl_key: GeneratedAlways<number>;
    provider: string;
    dataset: string;
    /** Digest of the settings that the documents were read with. */
    settings: string;
    /** Number of the latest crawl; 0 before the first. */
    crawl: Generated<number>;
    due_at: Date;
    /** Until when a process works on it; null when none does. */
    claimed_until: Date | null;
    /** End of the latest crawl that succeeded. */
    indexed_at: Date | null;
    /** Why the latest crawl failed. */
    fault: string | null;
  };
  crawled_documents: {
    crawl_key: number;
    url: string;
    /** Number of the latest crawl that met the document. */
    crawl: number;
    etag: string | null;
    last_modified: string | null;
    /** JSON of the addresses that it links to. */
    links: string;
  };
  crawled_items: {
    crawl_key: number;
    url: string;
    scene_id: string;
    acquired_at: Date;
    /** Text of a `box`; unwrapped, its east side exceeds 180 across the antimeridian. */
    bbox: string;
    /** JSON of the item. */
    item: string;
  };
}

import type { BlobStore } from "../../packages/base/src/blobs/blob-store.ts";

/** The target of a kill: a process of the service, the database server, or several of them. */
export interface Victim {
  readonly name: string;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Starts it, unless it runs, as its supervisor would; resolves when it runs. */
  restart(): Promise<void>;
}

/** A whole installation of the service. */
export interface Arrangement extends AsyncDisposable {
  readonly name: string;
  readonly baseUrl: string;
  readonly victims: readonly Victim[];
  /** Settings of commands that read the same database. */
  readonly commandSettings: Readonly<Record<string, string>>;
  readonly blobs: BlobStore;
  databaseUrl(): Promise<string>;
  /** Names of processes of the service that ended though nobody killed them. */
  endedByThemselves(): readonly string[];
  /** Everything that the processes have printed. */
  output(): string;
}

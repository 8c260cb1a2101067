import type { Client, Connection, Submittable } from "pg";

/** A column of a prepared statement. */
export interface ResultColumn {
  readonly name: string;
  readonly typeId: number;
  /** The column of a table that it is; null for an expression. */
  readonly source: { readonly tableId: number; readonly column: number } | null;
}

/** The answer of a server that has parsed a statement and not run it. */
export type Description =
  | { readonly columns: readonly ResultColumn[]; readonly error: null }
  | { readonly columns: null; readonly error: string };

interface FieldMessage {
  readonly name: string;
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
}

/** Parse and Describe of the extended protocol: names and types are resolved, nothing runs. */
class Describing implements Submittable {
  readonly described: Promise<Description>;
  readonly #text: string;
  #columns: readonly ResultColumn[] = [];
  #resolve: (description: Description) => void = () => {};

  constructor(text: string) {
    this.#text = text;
    this.described = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  submit(connection: Connection): void {
    connection.parse({ name: "", text: this.#text, types: [] }, true);
    connection.describe({ type: "S", name: "" }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldMessage[] }): void {
    this.#columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      typeId: dataTypeID,
      source: tableID === 0 ? null : { tableId: tableID, column: columnID },
    }));
  }

  handleError({ message }: Error): void {
    this.#resolve({ columns: null, error: message });
  }

  handleReadyForQuery(): void {
    this.#resolve({ columns: this.#columns, error: null });
  }
}

/** Describes a statement; a fault of it is in the description. */
export async function describeStatement(client: Client, text: string): Promise<Description> {
  const query = new Describing(text);
  client.query(query);
  return await query.described;
}

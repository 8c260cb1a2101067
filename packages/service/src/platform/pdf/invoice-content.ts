/** An invoice as its pages show it; plain data. */
export interface InvoiceContent {
  readonly title: string;
  /** `YYYY-MM-DD HH:MM:SS`, UTC; also the creation date of the file. */
  readonly createdAt: string;
  /** Facts above the table: group, period, state. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly columns: readonly InvoiceColumn[];
  /** A cell for each column. */
  readonly rows: readonly (readonly string[])[];
  readonly total: readonly string[];
}

export interface InvoiceColumn {
  readonly title: string;
  /** Part of the width of the table; all parts sum to 1. */
  readonly share: number;
  readonly align: "left" | "right";
}

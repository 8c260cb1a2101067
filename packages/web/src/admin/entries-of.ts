/** The entries of a form by name; empty ones are left out. */
export type Entries = Readonly<Record<string, string>>;

export function entriesOf(form: HTMLFormElement): Entries {
  const entries = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === "string" && value !== "" ? [[name, value] as const] : [],
  );
  return Object.fromEntries(entries);
}

import { Type, type TObject, type TSchema } from "typebox";

/** An answer before there is anything. */
export interface EmptyResult {
  readonly schema: TSchema;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The value and the shape of a result without content: its lists are empty, its other required members are null. */
export function emptyResultOf(result: TSchema): EmptyResult {
  const { properties = {}, required = [], title } = result as Partial<TObject> & { readonly title?: string };
  const members = required.map((name) => {
    const member = properties[name] ?? Type.Unknown();
    const isList = Type.IsArray(member);
    return {
      name,
      // OpenAPI Generator fails on a member that is always null: "Codegen Property not yet supported".
      schema: isList ? Type.Array(Type.Never(), { maxItems: 0 }) : Type.Union([member, Type.Null()]),
      value: isList ? [] : null,
    };
  });
  return {
    schema: Type.Object(
      Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
      title === undefined ? {} : { title: `Empty${title}` },
    ),
    value: Object.fromEntries(members.map(({ name, value }) => [name, value])),
  };
}

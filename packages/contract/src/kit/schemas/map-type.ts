import { Type } from "typebox";

/** A map type as requests write it. The database accepts no zero bytes, so it has no control characters. */
export const MapTypeIdSchema = Type.String({
  description:
    "map type, such as imagery or ndvi; index:<name>:<parameter>=<number>,… for an index with other constants; " +
    "expression:<formula>?ramp=<name>&min=<number>&max=<number> for an own formula",
  minLength: 1,
  maxLength: 512,
  pattern: "^[^\\u0000-\\u001f]*$",
});

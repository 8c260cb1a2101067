import { Type } from "typebox";

/** Pointer of a list to its next page, as a client sends it back. */
export const CursorSchema = Type.String({
  title: "Cursor",
  description: "value of `cursor` in the answer before; absent for the first page",
  minLength: 1,
  maxLength: 512,
});

/** The same in an answer: null on the last page. */
export const NextCursorSchema = Type.Union([Type.String(), Type.Null()], {
  description: "pass it as `cursor` to get more; null on the last page",
});

/** Searches and order lists count their cursors. */
export const IntegerCursorSchema = Type.Integer({
  title: "IntegerCursor",
  description: "value of `cursor` in the answer before; absent for the first page",
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
});

export const NextIntegerCursorSchema = Type.Union([Type.Integer(), Type.Null()], {
  description: "pass it as `cursor` to get more; null on the last page",
});

import { Type } from "typebox";

/** Pointer of a list to its next page, as a client sends it back. */
export const CursorSchema = Type.String({
  title: "Cursor",
  description: "`cursor` of the previous page; absent for the first",
  minLength: 1,
  maxLength: 512,
});

/** The same in an answer: null on the last page. */
export const NextCursorSchema = Type.Union([Type.String(), Type.Null()], {
  description: "`cursor` of the next page; null on the last page",
});

/** Searches and order lists count their cursors. */
export const IntegerCursorSchema = Type.Integer({
  title: "IntegerCursor",
  description: "`cursor` of the previous page; absent for the first",
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
});

export const NextIntegerCursorSchema = Type.Union([Type.Integer(), Type.Null()], {
  description: "`cursor` of the next page; null on the last page",
});

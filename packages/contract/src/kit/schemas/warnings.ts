import { Type } from "typebox";

/** Members of a request that nothing reads. */
export const WarningsSchema = Type.Array(
  Type.Object({
    path: Type.String({ description: "JSON Pointer of the member" }),
    message: Type.String(),
    didYouMean: Type.Optional(Type.String({ description: "the member that was probably meant" })),
  }),
  { title: "Warnings", description: "members of the request that the operation does not have", maxItems: 20 },
);

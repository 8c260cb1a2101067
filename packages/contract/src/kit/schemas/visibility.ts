import { Type, type Static } from "typebox";

/** The callers who see a scene. */
export const VisibilitySchema = Type.Enum(["group", "organization", "public"], {
  description: "callers who see the scene: the group that owns it, the organization of that group, or all",
});
export type Visibility = Static<typeof VisibilitySchema>;

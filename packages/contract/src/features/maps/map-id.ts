import { Type } from "typebox";

/** The longest address: an over-long map ID is an invalid map ID, not an unknown address. */
export const MapId = Type.String({
  description: "signed map ID of a release",
  minLength: 1,
  maxLength: 16_384,
});

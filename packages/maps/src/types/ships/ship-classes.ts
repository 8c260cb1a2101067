/** Pixels that are valid and no ship. */
export const BACKGROUND = 1;
/** Pixels of a ship. */
export const SHIP = 2;

/** Values of the class layer. */
export const AIRCRAFT_VALUE = 1;
export const BACKGROUND_VALUE = 2;

import type { Screen } from "./screen.ts";

/** All screens besides the search, in the order of the navigation: each is one folder and one line. */
export const SCREENS: readonly Screen[] = [];

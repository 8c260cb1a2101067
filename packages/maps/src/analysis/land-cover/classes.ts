/** Land-cover classes as pixel values; 0 is no data. */
export const WATER = 1;
export const ROADS = 2;
export const URBAN = 3;
export const NONURBAN = 4;
export const CLOUDS = 5;

/** Roads are at least two pixels wide only below this size of a pixel, metres. */
export const FINEST_ROADS_GSD_M = 3.2;

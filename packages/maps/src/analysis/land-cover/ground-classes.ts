/** Classes of `land-cover` as pixel values; 0 is no data. */
export const GROUND_WATER = 1;
export const GROUND_TREES = 2;
export const GROUND_CROPS_OR_GRASS = 3;
export const GROUND_BARE = 4;
export const GROUND_BUILT = 5;
export const GROUND_SNOW = 6;
export const GROUND_CLOUD = 7;

/** Marks the package as empty until the web map is built. */
export const WEB_MAP_IS_BUILT = false;

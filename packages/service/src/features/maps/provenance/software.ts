/** The program that makes maps; a test compares the version with the package's. */
export const SOFTWARE = { name: "swath", version: "0.1.0" } as const;

import { createRequire } from "node:module";
import type Sharp from "sharp";

const require = createRequire(import.meta.url);
let loaded: typeof Sharp | null = null;

/**
 * The image library, loaded when it is first needed: it takes 70 ms. It keeps no operations for repetition, up to 50 MB
 * by itself: no two pictures here are made of the same bytes.
 */
export function loadSharp(): typeof Sharp {
  if (loaded !== null) return loaded;
  loaded = require("sharp") as typeof Sharp;
  loaded.cache(false);
  return loaded;
}

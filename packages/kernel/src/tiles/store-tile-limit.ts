/** Most store tiles that one request may name or need. Without imports, because the contract loads it in browsers. */
export const MAX_STORE_TILES = 10_000;

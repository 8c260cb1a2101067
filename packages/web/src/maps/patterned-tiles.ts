import { tileAddress, type TileLayerState } from "../map/tile-layer.ts";
import { drawPatterns, type ClassColours } from "./class-pattern.ts";

/**
 * The same tiles with the patterns of classes on them: another layer, so that tiles of both are never mixed. Tiles
 * without classes stay as they are.
 */
export function patternedTiles(state: TileLayerState, colours: ClassColours): TileLayerState {
  if (Object.keys(colours).length === 0) return state;
  const load = state.load ?? ((tile) => fetchPicture(tileAddress(state.url, tile)));
  return {
    ...state,
    key: `${state.key}#patterns`,
    async load(tile) {
      const picture = await load(tile);
      return picture === null ? null : await withPatterns(picture, colours);
    },
  };
}

async function fetchPicture(address: string): Promise<Blob | null> {
  const answer = await fetch(address);
  return answer.status === 200 ? await answer.blob() : null;
}

async function withPatterns(picture: Blob, colours: ClassColours): Promise<Blob> {
  // Colours must stay what the service wrote, byte for byte.
  const decoded = await createImageBitmap(picture, { colorSpaceConversion: "none" });
  const { width, height } = decoded;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context === null) return picture;
  context.drawImage(decoded, 0, 0);
  decoded.close();
  const pixels = context.getImageData(0, 0, width, height);
  drawPatterns(pixels.data, width, colours);
  context.putImageData(pixels, 0, 0);
  return await canvas.convertToBlob();
}

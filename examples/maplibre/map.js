import { Map, NavigationControl } from "./node_modules/maplibre-gl/dist/maplibre-gl.mjs";

// index.html?tilejson=http://127.0.0.1:8080/mapsvc/map/MAP_ID/tilejson.json
const address = new URLSearchParams(location.search).get("tilejson");
const { bounds, tileSize } = await (await fetch(address)).json();

const map = new Map({
  container: "map",
  bounds,
  style: {
    version: 8,
    sources: { swath: { type: "raster", url: address, tileSize } },
    layers: [{ id: "swath", type: "raster", source: "swath" }],
  },
});
map.addControl(new NavigationControl());

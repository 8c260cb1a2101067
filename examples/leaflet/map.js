// index.html?tilejson=http://127.0.0.1:8080/mapsvc/map/MAP_ID/tilejson.json
const address = new URLSearchParams(location.search).get("tilejson");
const { attribution, bounds, maxzoom, minzoom, tileSize, tiles } = await (await fetch(address)).json();
const [west, south, east, north] = bounds;
const corners = [
  [south, west],
  [north, east],
];

const map = L.map("map").fitBounds(corners);
L.tileLayer(tiles[0], {
  // Leaflet reads attributions as HTML.
  attribution: new Option(attribution).innerHTML,
  bounds: corners,
  // Zooms of Leaflet are those of tiles of 256 pixels.
  tileSize,
  zoomOffset: -1,
  minNativeZoom: minzoom + 1,
  maxNativeZoom: maxzoom + 1,
  maxZoom: 22,
}).addTo(map);

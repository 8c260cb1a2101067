// index.html?tilejson=http://127.0.0.1:8080/mapsvc/map/MAP_ID/tilejson.json
const address = new URLSearchParams(location.search).get("tilejson");
const tileJSON = await (await fetch(address)).json();

const source = new ol.source.TileJSON({
  // OpenLayers reads attributions as HTML.
  tileJSON: { ...tileJSON, attribution: new Option(tileJSON.attribution).innerHTML },
  tileSize: tileJSON.tileSize,
  crossOrigin: "anonymous",
});
const map = new ol.Map({ target: "map", layers: [new ol.layer.Tile({ source })], view: new ol.View() });
map.getView().fit(ol.proj.transformExtent(tileJSON.bounds, "EPSG:4326", "EPSG:3857"));

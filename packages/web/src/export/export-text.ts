/** Texts of exports and reports. */
export const exportText = {
  title: "Export",
  close: "Close",
  none: "Make a map first. Then its values, pictures and objects can be downloaded.",
  loading: "The files of the map are being read",
  map: "Map",
  format: "File",
  formats: {
    geotiff: ["GeoTIFF of the values", "cloud optimized, in the CRS and pixels of the scene where it fits"],
    "visu-geotiff": ["GeoTIFF of the picture", "the colours of the screen, placed on the Earth"],
    png: ["PNG picture", "the whole area as one picture"],
    geojson: ["GeoJSON", "all objects or classes as outlines"],
    shz: ["Shapefile (SHZ)", "all objects or classes, for desktop programs"],
    zip: ["Zip of all tiles", "every file of every tile of a zoom"],
    pdf: ["PDF report", "all shown maps with legend, scale and statistics"],
    timelapse: ["Timelapse (WebP)", "all shown maps of this type, in order of time"],
    image: ["Bands of the scene (GeoTIFF)", "the searched area of the scene, at most 3 million pixels"],
  } as Readonly<Record<string, readonly [name: string, about: string]>>,
  timelapseNeeds: "A timelapse needs two maps of one type among the layers.",
  size: (width: string, height: string, bytes: string) =>
    `About ${width} × ${height} pixels, at most ${bytes} before compression.`,
  price: "Exports cost no credits: the area is paid with its map.",
  limits: {
    raster: "At most 126 million pixels; a larger area gets coarser ones.",
    picture: "At most 16 million pixels; a larger area gets coarser ones.",
  },
  heading: "Title",
  start: (name: string) => `Make ${name}`,
  started: "It is being made. It goes on when the page is closed, and appears under Tasks.",
  running: "Exports of this page",
} as const;

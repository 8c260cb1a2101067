/** Tables of a GeoPackage 1.3 (OGC 12-128r17, annex C) that this service fills. */
export const GEOPACKAGE_SCHEMA = `
PRAGMA application_id = 0x47504B47;
PRAGMA user_version = 10300;
CREATE TABLE gpkg_spatial_ref_sys (
  srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL,
  organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
CREATE TABLE gpkg_contents (
  table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE, description TEXT DEFAULT '',
  last_change DATETIME NOT NULL, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
  FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id));
CREATE TABLE gpkg_geometry_columns (
  table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL,
  z TINYINT NOT NULL, m TINYINT NOT NULL, PRIMARY KEY (table_name, column_name), UNIQUE (table_name),
  FOREIGN KEY (table_name) REFERENCES gpkg_contents (table_name),
  FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id));
CREATE TABLE gpkg_tile_matrix_set (
  table_name TEXT NOT NULL PRIMARY KEY, srs_id INTEGER NOT NULL, min_x DOUBLE NOT NULL, min_y DOUBLE NOT NULL,
  max_x DOUBLE NOT NULL, max_y DOUBLE NOT NULL,
  FOREIGN KEY (table_name) REFERENCES gpkg_contents (table_name),
  FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id));
CREATE TABLE gpkg_tile_matrix (
  table_name TEXT NOT NULL, zoom_level INTEGER NOT NULL, matrix_width INTEGER NOT NULL, matrix_height INTEGER NOT NULL,
  tile_width INTEGER NOT NULL, tile_height INTEGER NOT NULL, pixel_x_size DOUBLE NOT NULL, pixel_y_size DOUBLE NOT NULL,
  PRIMARY KEY (table_name, zoom_level), FOREIGN KEY (table_name) REFERENCES gpkg_contents (table_name));
`;

interface ReferenceSystem {
  readonly name: string;
  readonly id: number;
  readonly organization: string;
  readonly definition: string;
}

const WGS84_WKT =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],' +
  'AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],' +
  'UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]]';
const WEB_MERCATOR_WKT =
  `PROJCS["WGS 84 / Pseudo-Mercator",${WGS84_WKT},PROJECTION["Mercator_1SP"],PARAMETER["central_meridian",0],` +
  'PARAMETER["scale_factor",1],PARAMETER["false_easting",0],PARAMETER["false_northing",0],' +
  'UNIT["metre",1,AUTHORITY["EPSG","9001"]],AXIS["X",EAST],AXIS["Y",NORTH],' +
  'EXTENSION["PROJ4","+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m ' +
  '+nadgrids=@null +wktext +no_defs"],AUTHORITY["EPSG","3857"]]';

export const WGS84_SRS = 4326;
export const WEB_MERCATOR_SRS = 3857;

/** The first two are required of every file. */
export const REFERENCE_SYSTEMS: readonly ReferenceSystem[] = [
  { name: "Undefined Cartesian SRS", id: -1, organization: "NONE", definition: "undefined" },
  { name: "Undefined geographic SRS", id: 0, organization: "NONE", definition: "undefined" },
  { name: "WGS 84", id: WGS84_SRS, organization: "EPSG", definition: WGS84_WKT },
  { name: "WGS 84 / Pseudo-Mercator", id: WEB_MERCATOR_SRS, organization: "EPSG", definition: WEB_MERCATOR_WKT },
];

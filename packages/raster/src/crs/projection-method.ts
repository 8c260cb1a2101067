/** Parameters of a map projection in degrees and metres, whatever source named them. */
export interface ProjectionParameters {
  readonly latitudeOfOrigin?: number | undefined;
  readonly centralMeridian?: number | undefined;
  readonly standardParallel1?: number | undefined;
  readonly standardParallel2?: number | undefined;
  readonly scaleFactor?: number | undefined;
  readonly azimuth?: number | undefined;
  readonly rectifiedGridAngle?: number | undefined;
  readonly falseEastingM?: number | undefined;
  readonly falseNorthingM?: number | undefined;
}

export type ProjectionMethod =
  | "albers"
  | "azimuthal-equidistant"
  | "cassini"
  | "cylindrical-equal-area"
  | "equidistant-conic"
  | "equirectangular"
  | "gnomonic"
  | "hotine-a"
  | "hotine-b"
  | "krovak"
  | "lambert-azimuthal-equal-area"
  | "lambert-conic-1sp"
  | "lambert-conic-2sp"
  | "mercator"
  | "miller"
  | "mollweide"
  | "new-zealand-map-grid"
  | "oblique-stereographic"
  | "orthographic"
  | "polar-stereographic"
  | "polyconic"
  | "robinson"
  | "sinusoidal"
  | "stereographic"
  | "transverse-mercator"
  | "transverse-mercator-south"
  | "van-der-grinten";

/** GeoTIFF 1.0 coordinate transformation codes (key 3075). */
export const METHOD_OF_GEOTIFF_CODE: Readonly<Record<number, ProjectionMethod>> = {
  1: "transverse-mercator",
  3: "hotine-a",
  7: "mercator",
  8: "lambert-conic-2sp",
  9: "lambert-conic-1sp",
  10: "lambert-azimuthal-equal-area",
  11: "albers",
  12: "azimuthal-equidistant",
  13: "equidistant-conic",
  14: "stereographic",
  15: "polar-stereographic",
  16: "oblique-stereographic",
  17: "equirectangular",
  18: "cassini",
  19: "gnomonic",
  20: "miller",
  21: "orthographic",
  22: "polyconic",
  23: "robinson",
  24: "sinusoidal",
  25: "van-der-grinten",
  26: "new-zealand-map-grid",
  27: "transverse-mercator-south",
  28: "cylindrical-equal-area",
  9815: "hotine-b",
};

/** Projection names of WKT 1, lower case, OGC and Esri. */
export const METHOD_OF_WKT_NAME: Readonly<Record<string, ProjectionMethod>> = {
  albers: "albers",
  albers_conic_equal_area: "albers",
  azimuthal_equidistant: "azimuthal-equidistant",
  cassini: "cassini",
  cassini_soldner: "cassini",
  cylindrical_equal_area: "cylindrical-equal-area",
  equidistant_conic: "equidistant-conic",
  equidistant_cylindrical: "equirectangular",
  plate_carree: "equirectangular",
  equirectangular: "equirectangular",
  gauss_kruger: "transverse-mercator",
  gnomonic: "gnomonic",
  hotine_oblique_mercator: "hotine-a",
  hotine_oblique_mercator_azimuth_center: "hotine-b",
  hotine_oblique_mercator_azimuth_natural_origin: "hotine-a",
  krovak: "krovak",
  lambert_azimuthal_equal_area: "lambert-azimuthal-equal-area",
  lambert_conformal_conic: "lambert-conic-2sp",
  lambert_conformal_conic_1sp: "lambert-conic-1sp",
  lambert_conformal_conic_2sp: "lambert-conic-2sp",
  mercator: "mercator",
  mercator_1sp: "mercator",
  mercator_2sp: "mercator",
  miller_cylindrical: "miller",
  mollweide: "mollweide",
  new_zealand_map_grid: "new-zealand-map-grid",
  oblique_stereographic: "oblique-stereographic",
  double_stereographic: "oblique-stereographic",
  orthographic: "orthographic",
  polar_stereographic: "polar-stereographic",
  stereographic_north_pole: "polar-stereographic",
  stereographic_south_pole: "polar-stereographic",
  polyconic: "polyconic",
  robinson: "robinson",
  sinusoidal: "sinusoidal",
  stereographic: "stereographic",
  transverse_mercator: "transverse-mercator",
  transverse_mercator_south_orientated: "transverse-mercator-south",
  vandergrinten: "van-der-grinten",
  van_der_grinten_i: "van-der-grinten",
};

/** The projection part of a proj string, `+x_0` and `+y_0` always given. */
export function projOfMethod(method: ProjectionMethod, p: ProjectionParameters): string {
  const lat0 = `+lat_0=${p.latitudeOfOrigin ?? 0}`;
  const lon0 = `+lon_0=${p.centralMeridian ?? 0}`;
  const scale = p.scaleFactor === undefined || p.scaleFactor === 1 ? "" : ` +k_0=${p.scaleFactor}`;
  const lat1 = p.standardParallel1 ?? p.latitudeOfOrigin ?? 0;
  const lat2 = p.standardParallel2 ?? lat1;
  const origin = `+x_0=${p.falseEastingM ?? 0} +y_0=${p.falseNorthingM ?? 0}`;
  switch (method) {
    case "albers":
      return `+proj=aea +lat_1=${lat1} +lat_2=${lat2} ${lat0} ${lon0} ${origin}`;
    case "azimuthal-equidistant":
      return `+proj=aeqd ${lat0} ${lon0} ${origin}`;
    case "cassini":
      return `+proj=cass ${lat0} ${lon0} ${origin}`;
    case "cylindrical-equal-area":
      return `+proj=cea +lat_ts=${lat1} ${lon0} ${origin}`;
    case "equidistant-conic":
      return `+proj=eqdc +lat_1=${lat1} +lat_2=${lat2} ${lat0} ${lon0} ${origin}`;
    case "equirectangular":
      // GeoTIFF and GDAL put the true-scale latitude into the first standard parallel, older files into the origin.
      return `+proj=eqc +lat_ts=${p.standardParallel1 ?? 0} ${lat0} ${lon0} ${origin}`;
    case "gnomonic":
      return `+proj=gnom ${lat0} ${lon0} ${origin}`;
    case "hotine-a":
    case "hotine-b": {
      const azimuth = p.azimuth ?? 0;
      const gamma = p.rectifiedGridAngle ?? azimuth;
      if (method === "hotine-b" && azimuth === 90 && gamma === 90)
        return `+proj=somerc ${lat0} ${lon0}${scale} ${origin}`;
      return `+proj=omerc ${lat0} +lonc=${p.centralMeridian ?? 0} +alpha=${azimuth} +gamma=${gamma}${scale} ${origin}${method === "hotine-a" ? " +no_uoff" : ""}`;
    }
    case "krovak":
      return `+proj=krovak ${lat0} ${lon0} +alpha=${p.azimuth ?? 30.288_139_752_777_78} +k=${p.scaleFactor ?? 0.9999} ${origin}`;
    case "lambert-azimuthal-equal-area":
      return `+proj=laea ${lat0} ${lon0} ${origin}`;
    case "lambert-conic-1sp":
      return `+proj=lcc +lat_1=${p.latitudeOfOrigin ?? lat1} ${lat0} ${lon0}${scale} ${origin}`;
    case "lambert-conic-2sp":
      return `+proj=lcc +lat_1=${lat1} +lat_2=${lat2} ${lat0} ${lon0}${scale} ${origin}`;
    case "mercator":
      return p.standardParallel1 === undefined
        ? `+proj=merc ${lon0}${scale} ${origin}`
        : `+proj=merc +lat_ts=${p.standardParallel1} ${lon0} ${origin}`;
    case "miller":
      return `+proj=mill ${lon0} ${origin}`;
    case "mollweide":
      return `+proj=moll ${lon0} ${origin}`;
    case "new-zealand-map-grid":
      return `+proj=nzmg ${lat0} ${lon0} ${origin}`;
    case "oblique-stereographic":
      return `+proj=sterea ${lat0} ${lon0}${scale} ${origin}`;
    case "orthographic":
      return `+proj=ortho ${lat0} ${lon0} ${origin}`;
    case "polar-stereographic": {
      // The latitude of origin is the true-scale latitude unless it is the pole itself.
      const trueScale = p.standardParallel1 ?? p.latitudeOfOrigin ?? 90;
      const pole = trueScale < 0 ? -90 : 90;
      const lat = Math.abs(trueScale) === 90 ? "" : ` +lat_ts=${trueScale}`;
      return `+proj=stere +lat_0=${pole}${lat} ${lon0}${scale} ${origin}`;
    }
    case "polyconic":
      return `+proj=poly ${lat0} ${lon0} ${origin}`;
    case "robinson":
      return `+proj=robin ${lon0} ${origin}`;
    case "sinusoidal":
      return `+proj=sinu ${lon0} ${origin}`;
    case "stereographic":
      return `+proj=stere ${lat0} ${lon0}${scale} ${origin}`;
    case "transverse-mercator":
      return `+proj=tmerc ${lat0} ${lon0}${scale} ${origin}`;
    case "transverse-mercator-south":
      return `+proj=tmerc ${lat0} ${lon0}${scale} ${origin} +axis=wsu`;
    case "van-der-grinten":
      return `+proj=vandg ${lon0} ${origin}`;
  }
  return method satisfies never;
}

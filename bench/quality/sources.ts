/** A real place at a date, with the terms of its data. */
export interface Source {
  /** Part of `data` of the figures that were measured there. */
  readonly match: string;
  /** Scenes of one place share it: a limit chosen on one of them has seen the others. */
  readonly place: string;
  /** `not stated` where the sample does not say. */
  readonly date: string;
  readonly licence: string;
}

const COPERNICUS = "Copernicus Sentinel data, modified";
const TERRAMESH = `TerraMesh CC BY-SA 4.0; ${COPERNICUS}`;
const PLANET = "Planet Open California, CC BY-SA 4.0";
const USGS = "USGS Landsat, public domain";
const CSMASK = "ukis-csmask, Apache-2.0";

const TEMUCO = "southern Chile, 38.83° S 72.48° W";
const AALBORG = "northern Jutland, 57.23° N 9.84° E";

/** Real scenes of the samples. Names of simulated data begin with that word. */
export const SOURCES: readonly Source[] = [
  { match: "433D_629L_3_1", place: TEMUCO, date: "not stated", licence: TERRAMESH },
  { match: "637U_59R_1_3", place: AALBORG, date: "not stated", licence: TERRAMESH },
  {
    match: "38D_378R_2_3",
    place: "Lake Victoria's south, 3.40° S 34.07° E",
    date: "not stated",
    licence: TERRAMESH,
  },
  {
    match: "fields and towns without aircraft in flight",
    place: `${TEMUCO}; ${AALBORG}`,
    date: "not stated",
    licence: TERRAMESH,
  },
  {
    match: "Leipzig",
    place: "Leipzig, 51.34° N 12.34° E",
    date: "2018, unverified",
    licence: `LGPL-3 package; ${COPERNICUS}`,
  },
  {
    match: "Barbellino 2017-07-03",
    place: "Lago Barbellino, 46.07° N 10.04° E",
    date: "2017-07-03",
    licence: COPERNICUS,
  },
  {
    match: "Barbellino 2019-07-23",
    place: "Lago Barbellino, 46.07° N 10.04° E",
    date: "2019-07-23",
    licence: COPERNICUS,
  },
  {
    match: "Barbellino 2017 (",
    place: "Lago Barbellino, 46.07° N 10.04° E",
    date: "2017-07-03",
    licence: COPERNICUS,
  },
  {
    match: "Barbellino 2019 (",
    place: "Lago Barbellino, 46.07° N 10.04° E",
    date: "2019-07-23",
    licence: COPERNICUS,
  },
  {
    match: "Barbellino, 2017-07-03 to 2019-07-23",
    place: "Lago Barbellino, 46.07° N 10.04° E",
    date: "2017-07-03, 2019-07-23",
    licence: COPERNICUS,
  },
  {
    match: "Sentinel-2, 30 m, fields and forest",
    place: "not stated, Sentinel-2 of ukis-csmask",
    date: "not stated",
    licence: `${CSMASK}; ${COPERNICUS}`,
  },
  {
    match: "Sentinel-2 at 30 m, people's labels",
    place: "not stated, Sentinel-2 of ukis-csmask",
    date: "not stated",
    licence: `${CSMASK}; ${COPERNICUS}`,
  },
  {
    match: "Landsat 5, tropical forest",
    place: "not stated, Landsat 5 of ukis-csmask",
    date: "not stated",
    licence: `${CSMASK}; ${USGS}`,
  },
  {
    match: "Landsat 5 at 30 m, people's labels",
    place: "not stated, Landsat 5 of ukis-csmask",
    date: "not stated",
    licence: `${CSMASK}; ${USGS}`,
  },
  {
    match: "Sentinel-1 port of Los Angeles",
    place: "port of Los Angeles",
    date: "2021-01-05",
    licence: COPERNICUS,
  },
  {
    match: "PlanetScope San Francisco Bay 2017-07-19",
    place: "San Francisco Bay",
    date: "2017-07-19",
    licence: PLANET,
  },
  { match: "PlanetScope Long Beach 2017-10-22", place: "Long Beach", date: "2017-10-22", licence: PLANET },
  {
    match: "PlanetScope, both crops",
    place: "San Francisco Bay; Long Beach",
    date: "2017-07-19, 2017-10-22",
    licence: PLANET,
  },
  {
    match: "PlanetScope 3 m, San Francisco airport",
    place: "San Francisco airport",
    date: "2016 or 2017",
    licence: PLANET,
  },
  {
    match: "Landsat 7 Jülich",
    place: "Jülich and Hambach, Germany",
    date: "2001-05-25, 2001-06-26",
    licence: USGS,
  },
  { match: "Landsat Pucallpa", place: "Pucallpa, Peru", date: "1990, 2010", licence: USGS },
  {
    match: "NAIP North Dakota",
    place: "North Dakota, 47.02° N 99.15° W",
    date: "2010-06-29, 2015-09-26",
    licence: "USDA NAIP, public domain",
  },
  {
    match: "GPM IMERG day 2024-06-17",
    place: "180° to 105° W",
    date: "2024-06-17",
    licence: "NASA GPM, open with attribution",
  },
  {
    match: "VIIRS Mumbai 2013-01 to 2019-01",
    place: "Mumbai",
    date: "2013-01, 2019-01",
    licence: "EOG VIIRS, CC BY 4.0",
  },
  ...["2013-01", "2019-01", "2019-02"].map((month) => ({
    match: `VIIRS Mumbai ${month}`,
    place: "Mumbai",
    date: month,
    licence: "EOG VIIRS, CC BY 4.0",
  })),
];

const SIMULATED = /^(simulated|made)[ ,]/;

/**
 * The place of the data of a figure; null for simulated data.
 *
 * @throws {RangeError} for data that is neither simulated by its name nor of a listed source
 */
export function sourceOf(data: string): Source | null {
  if (SIMULATED.test(data)) return null;
  const [longest] = SOURCES.filter(({ match }) => data.includes(match)).toSorted(
    (a, b) => b.match.length - a.match.length,
  );
  if (longest === undefined) {
    throw new RangeError(
      `got figures on "${data}", expected "simulated …" or the name of a scene of bench/quality/sources.ts`,
    );
  }
  return longest;
}

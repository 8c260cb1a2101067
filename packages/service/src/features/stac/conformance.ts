const TRANSACTION = "https://api.stacspec.org/v1.0.0/ogcapi-features/extensions/transaction";

/** Conformance classes that the routes of `/stac` keep. Clients switch features on by them. */
const CONFORMANCE = [
  "https://api.stacspec.org/v1.0.0/core",
  "https://api.stacspec.org/v1.0.0/children",
  "https://api.stacspec.org/v1.0.0/collections",
  "https://api.stacspec.org/v1.0.0/ogcapi-features",
  "https://api.stacspec.org/v1.0.0/item-search",
  "https://api.stacspec.org/v1.0.0/item-search#fields",
  "https://api.stacspec.org/v1.0.0/ogcapi-features#fields",
  "https://api.stacspec.org/v1.0.0/item-search#sort",
  "https://api.stacspec.org/v1.0.0/ogcapi-features#sort",
  "https://api.stacspec.org/v1.0.0/item-search#query",
  "https://api.stacspec.org/v1.0.0/ogcapi-features#query",
  "https://api.stacspec.org/v1.0.0/item-search#filter",
  "https://api.stacspec.org/v0.3.0/aggregation",
  "https://api.stacspec.org/v1.0.0-rc.1/collection-search",
  "https://api.stacspec.org/v1.0.0-rc.1/collection-search#free-text",
  "http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/simple-query",
  "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
  "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
  "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30",
  "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter",
  "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter",
  "http://www.opengis.net/spec/cql2/1.0/conf/cql2-text",
  "http://www.opengis.net/spec/cql2/1.0/conf/cql2-json",
  "http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2",
  "http://www.opengis.net/spec/cql2/1.0/conf/advanced-comparison-operators",
  "http://www.opengis.net/spec/cql2/1.0/conf/case-insensitive-comparison",
  "http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-functions",
  "http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-operators",
  "http://www.opengis.net/spec/cql2/1.0/conf/temporal-functions",
  "http://www.opengis.net/spec/cql2/1.0/conf/temporal-operators",
  "http://www.opengis.net/spec/cql2/1.0/conf/array-functions",
  "http://www.opengis.net/spec/cql2/1.0/conf/array-operators",
  "http://www.opengis.net/spec/cql2/1.0/conf/property-property",
  "http://www.opengis.net/spec/cql2/1.0/conf/arithmetic",
] as const;

/** The classes, with Transaction only where the operator allows hosts of files. */
export function conformanceOf(hasTransactions: boolean): readonly string[] {
  return hasTransactions ? [...CONFORMANCE, TRANSACTION] : CONFORMANCE;
}

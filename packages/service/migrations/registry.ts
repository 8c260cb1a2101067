import * as identity from "./0001-identity.ts";
import * as pipelines from "./0002-pipelines.ts";
import * as scenes from "./0003-scenes.ts";
import * as uploads from "./0004-uploads.ts";
import * as credits from "./0005-credits.ts";
import * as maps from "./0006-maps.ts";
import * as catalogue from "./0007-catalogue.ts";
import * as onDemand from "./0008-on-demand.ts";
import * as exports from "./0009-exports.ts";
import * as orbits from "./0010-orbits.ts";
import * as organisations from "./0011-organisations.ts";
import * as credentials from "./0012-credentials.ts";
import * as ledger from "./0013-ledger.ts";
import * as coverageParts from "./0014-coverage-parts.ts";
import * as geojson from "./0015-geojson.ts";
import * as features from "./0016-features.ts";
import * as mapResults from "./0017-map-results.ts";
import * as mapDownloads from "./0018-map-downloads.ts";
import * as functions from "./0019-functions.ts";
import * as owningGroups from "./0020-owning-groups.ts";
import * as sceneVisibility from "./0021-scene-visibility.ts";
import * as loginNetworks from "./0022-login-networks.ts";
import * as lanes from "./0023-lanes.ts";
import * as linkSecrets from "./0024-link-secrets.ts";
import * as claims from "./0025-claims.ts";
import * as announcedRights from "./0026-announced-rights.ts";
import * as serviceProbe from "./0027-service-probe.ts";
import * as releaseHolds from "./0028-release-holds.ts";
import * as groupPrices from "./0029-group-prices.ts";
import * as crawledCatalogues from "./0030-crawled-catalogues.ts";
import * as editedScenes from "./0031-edited-scenes.ts";
import * as externalClaims from "./0032-external-claims.ts";
import * as tasking from "./0033-tasking.ts";
import * as analyses from "./0034-analyses.ts";
import * as events from "./0035-events.ts";
import * as datacube from "./0036-datacube.ts";
import * as pipelineEvents from "./0040-pipeline-events.ts";
import * as consoleSessions from "./0041-console-sessions.ts";
import * as standingQueries from "./0042-standing-queries.ts";
import * as provenance from "./0043-provenance.ts";
import * as pipelineLists from "./0045-pipeline-lists.ts";
import * as monitors from "./0046-monitors.ts";
import * as monitorBackfills from "./0047-monitor-backfills.ts";
import * as mapLinks from "./0050-map-links.ts";
import * as monitorLooks from "./0051-monitor-looks.ts";
import * as parkedScenes from "./0054-parked-scenes.ts";
import * as areaClusters from "./0055-area-clusters.ts";
import * as heldCredit from "./0056-held-credit.ts";
import * as mosaics from "./0061-mosaics.ts";
import * as registeredItems from "./0064-registered-items.ts";
import * as releasedMaps from "./0065-released-maps.ts";
import * as plainRequests from "./0066-plain-requests.ts";
import * as stapi from "./0063-stapi.ts";
import type { FunctionHashes } from "./functions/replace-functions.ts";
import type { Migration } from "kysely";

/** A migration names the hashes of the functions that it installs. */
export interface NamedMigration extends Migration {
  readonly functions?: FunctionHashes;
}

/** Forward only; a merged migration is never edited. */
export const migrations: Readonly<Record<string, NamedMigration>> = {
  "0001-identity": identity,
  "0002-pipelines": pipelines,
  "0003-scenes": scenes,
  "0004-uploads": uploads,
  "0005-credits": credits,
  "0006-maps": maps,
  "0007-catalogue": catalogue,
  "0008-on-demand": onDemand,
  "0009-exports": exports,
  "0010-orbits": orbits,
  "0011-organisations": organisations,
  "0012-credentials": credentials,
  "0013-ledger": ledger,
  "0014-coverage-parts": coverageParts,
  "0015-geojson": geojson,
  "0016-features": features,
  "0017-map-results": mapResults,
  "0018-map-downloads": mapDownloads,
  "0019-functions": functions,
  "0020-owning-groups": owningGroups,
  "0021-scene-visibility": sceneVisibility,
  "0022-login-networks": loginNetworks,
  "0023-lanes": lanes,
  "0024-link-secrets": linkSecrets,
  "0025-claims": claims,
  "0026-announced-rights": announcedRights,
  "0027-service-probe": serviceProbe,
  "0028-release-holds": releaseHolds,
  "0029-group-prices": groupPrices,
  "0030-crawled-catalogues": crawledCatalogues,
  "0031-edited-scenes": editedScenes,
  "0032-external-claims": externalClaims,
  "0033-tasking": tasking,
  "0034-analyses": analyses,
  "0035-events": events,
  "0036-datacube": datacube,
  "0040-pipeline-events": pipelineEvents,
  "0041-console-sessions": consoleSessions,
  "0042-standing-queries": standingQueries,
  "0043-provenance": provenance,
  "0045-pipeline-lists": pipelineLists,
  "0046-monitors": monitors,
  "0047-monitor-backfills": monitorBackfills,
  "0050-map-links": mapLinks,
  "0051-monitor-looks": monitorLooks,
  "0054-parked-scenes": parkedScenes,
  "0055-area-clusters": areaClusters,
  "0056-held-credit": heldCredit,
  "0061-mosaics": mosaics,
  "0063-stapi": stapi,
  "0064-registered-items": registeredItems,
  "0065-released-maps": releasedMaps,
  "0066-plain-requests": plainRequests,
};

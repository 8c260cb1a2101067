import type { AnalysisTables } from "./tables/analyses.ts";
import type { ApiKeyTables } from "./tables/api-keys.ts";
import type { CrawlTables } from "./tables/crawls.ts";
import type { CreditTables } from "./tables/credits.ts";
import type { DatacubeTables } from "./tables/datacube.ts";
import type { EventTables } from "./tables/events.ts";
import type { ExportTables } from "./tables/exports.ts";
import type { FeatureTables } from "./tables/features.ts";
import type { GeojsonTables } from "./tables/geojson.ts";
import type { IdentityTables } from "./tables/identity.ts";
import type { MapTables } from "./tables/maps.ts";
import type { MfaTables } from "./tables/mfa.ts";
import type { OnDemandTables } from "./tables/on-demand.ts";
import type { OrbitTables } from "./tables/orbits.ts";
import type { OrganizationTables } from "./tables/organizations.ts";
import type { PipelineTables } from "./tables/pipelines.ts";
import type { SceneTables } from "./tables/scenes.ts";
import type { ServiceProbeTables } from "./tables/service-probe.ts";
import type { MonitorTables } from "./tables/monitors.ts";
import type { StandingQueryTables } from "./tables/standing-queries.ts";
import type { TaskingTables } from "./tables/tasking.ts";
import type { UploadTables } from "./tables/uploads.ts";

/** All tables, by name; each file of `tables/` mirrors one migration. */
export interface Database
  extends
    AnalysisTables,
    ApiKeyTables,
    CrawlTables,
    CreditTables,
    DatacubeTables,
    EventTables,
    ExportTables,
    FeatureTables,
    GeojsonTables,
    IdentityTables,
    MapTables,
    MfaTables,
    OnDemandTables,
    OrbitTables,
    OrganizationTables,
    PipelineTables,
    SceneTables,
    ServiceProbeTables,
    MonitorTables,
    StandingQueryTables,
    TaskingTables,
    UploadTables {}

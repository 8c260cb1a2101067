import { analysesContract } from "./features/analyses/contract.ts";
import { apiKeysContract } from "./features/api-keys/contract.ts";
import { assetsContract } from "./features/assets/contract.ts";
import { auditContract } from "./features/audit/contract.ts";
import { baselinesContract } from "./features/baselines/contract.ts";
import { creditsContract } from "./features/credits/contract.ts";
import { datacubeContract } from "./features/datacube/contract.ts";
import { eventsContract } from "./features/events/contract.ts";
import { exportContract } from "./features/export/contract.ts";
import { featureStoreContract } from "./features/feature-store/contract.ts";
import { geojsonContract } from "./features/geojson/contract.ts";
import { imageryContract } from "./features/imagery/contract.ts";
import { ingestionContract } from "./features/ingestion/contract.ts";
import { mapsContract } from "./features/maps/contract.ts";
import { mfaContract } from "./features/mfa/contract.ts";
import { monitorsContract } from "./features/monitors/contract.ts";
import { pipelinesContract } from "./features/pipelines/contract.ts";
import { sessionsContract } from "./features/sessions/contract.ts";
import { stacContract } from "./features/stac/contract.ts";
import { stapiContract } from "./features/stapi/contract.ts";
import { standingQueriesContract } from "./features/standing-queries/contract.ts";
import { taskingContract } from "./features/tasking/contract.ts";
import { usersContract } from "./features/users/contract.ts";
import { weatherContract } from "./features/weather/contract.ts";
import { webhooksContract } from "./features/webhooks/contract.ts";

export type { CallTypes, FileTypes, GetTypes, PipelineTypes } from "./kit/client-types.ts";
export type { ServiceContract } from "./kit/contract.ts";

/** All operations of the service, by feature. Clients import its type only. */
export const contract = {
  analyses: analysesContract,
  apiKeys: apiKeysContract,
  assets: assetsContract,
  audit: auditContract,
  baselines: baselinesContract,
  credits: creditsContract,
  datacube: datacubeContract,
  events: eventsContract,
  export: exportContract,
  featureStore: featureStoreContract,
  geojson: geojsonContract,
  imagery: imageryContract,
  ingestion: ingestionContract,
  maps: mapsContract,
  mfa: mfaContract,
  monitors: monitorsContract,
  pipelines: pipelinesContract,
  sessions: sessionsContract,
  stac: stacContract,
  stapi: stapiContract,
  standingQueries: standingQueriesContract,
  tasking: taskingContract,
  users: usersContract,
  weather: weatherContract,
  webhooks: webhooksContract,
} as const;

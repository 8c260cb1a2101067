import type { contract } from "@swath/contract";
import { analyses } from "./features/analyses/feature.ts";
import { apiKeys } from "./features/api-keys/feature.ts";
import { assets } from "./features/assets/feature.ts";
import { audit } from "./features/audit/feature.ts";
import { baselines } from "./features/baselines/feature.ts";
import { credits } from "./features/credits/feature.ts";
import { datacube } from "./features/datacube/feature.ts";
import { events } from "./features/events/feature.ts";
import { exporting } from "./features/export/feature.ts";
import { featureStore } from "./features/feature-store/feature.ts";
import { geojson } from "./features/geojson/feature.ts";
import { imagery } from "./features/imagery/feature.ts";
import { ingestion } from "./features/ingestion/feature.ts";
import { maps } from "./features/maps/feature.ts";
import { mfa } from "./features/mfa/feature.ts";
import { monitors } from "./features/monitors/feature.ts";
import { pipelines } from "./features/pipelines/feature.ts";
import { sessions } from "./features/sessions/feature.ts";
import { stac } from "./features/stac/feature.ts";
import { stapi } from "./features/stapi/feature.ts";
import { standingQueries } from "./features/standing-queries/feature.ts";
import { tasking } from "./features/tasking/feature.ts";
import { users } from "./features/users/feature.ts";
import { weather } from "./features/weather/feature.ts";
import { webhooks } from "./features/webhooks/feature.ts";
import type { AnyFeature } from "./feature-kit/define-feature.ts";

type Contract = typeof contract;

/** Every feature, one line each, under its name in the contract: a missing one does not compile. */
export const features = {
  analyses,
  apiKeys,
  assets,
  audit,
  baselines,
  credits,
  datacube,
  events,
  export: exporting,
  featureStore,
  geojson,
  imagery,
  ingestion,
  maps,
  mfa,
  monitors,
  pipelines,
  sessions,
  stac,
  stapi,
  standingQueries,
  tasking,
  users,
  weather,
  webhooks,
} as const satisfies {
  readonly [Name in keyof Contract]: AnyFeature & { readonly name: Name; readonly contract: Contract[Name] };
};

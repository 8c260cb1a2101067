import { weatherContract } from "@swath/contract/features/weather/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { weatherHandlers } from "./handlers.ts";
import { createWeatherService } from "./service.ts";

export const weather = defineFeature({
  name: "weather",
  contract: weatherContract,
  needs: ["areas", "clock", "db", "sources", "windows"],
  create: createWeatherService,
  handlers: weatherHandlers,
});

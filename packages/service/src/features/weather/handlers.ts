import type { Handlers } from "../../platform/context.ts";
import type { weatherContract } from "@swath/contract/features/weather/contract";
import type { WeatherService } from "./service.ts";

export function weatherHandlers(service: WeatherService): Handlers<typeof weatherContract> {
  return {
    precipitation: (request, { signal }) => service.precipitation(request, signal),
  };
}

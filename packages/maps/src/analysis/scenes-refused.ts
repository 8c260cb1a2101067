import { ServiceError } from "@swath/kernel/errors/service-error";

/** The survey of the pixels shows that an analysis cannot use the scenes. */
export class ScenesRefused extends ServiceError {
  override readonly name = "ScenesRefused";

  constructor(message: string) {
    super("UNSUPPORTED-IMAGERY", message);
  }
}

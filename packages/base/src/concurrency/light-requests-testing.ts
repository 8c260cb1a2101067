import { lightRequests } from "./light-requests.ts";

/** Works beside a light request that lasts. @returns how often the work looked whether it is quiet */
export async function looksBesideLight(work: () => Promise<unknown>): Promise<number> {
  let looks = 0;
  const request = {
    get atMs() {
      looks += 1;
      return Infinity;
    },
  };
  lightRequests.begun.add(request);
  try {
    await work();
  } finally {
    lightRequests.begun.delete(request);
  }
  return looks;
}

import { ServiceProcess } from "../support/service-process";
import type { Case } from "./model";

/**
 * Runs a function with a new service that has no settings. The service delays each response by the latency of the case.
 */
export async function withService(
  { collection, count, latency }: Case,
  work: (service: ServiceProcess) => Promise<void>,
): Promise<void> {
  const service = await ServiceProcess.start({ fixture: collection.fixture(count) });
  try {
    await service.delay(latency);
    await work(service);
  } finally {
    await service.close();
  }
}

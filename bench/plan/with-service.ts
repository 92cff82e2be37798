import { ServiceProcess } from "../support/service-process";
import type { Case } from "./model";

/** Does something with a service in which nothing is set yet, that waits before each answer as the case says. */
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

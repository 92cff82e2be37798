import { type Service, type ServiceOptions, startService as start } from "../service";

export type {
  CompatMode,
  FaultInput,
  Faults,
  FixtureInput,
  RecordedRequest,
  RequestLog,
  Service,
  ServiceOptions,
  ServiceSettings,
} from "../service";

/**
 * Starts an instance for a test, in memory and on a free port, that remembers its requests.
 *
 * @example
 * const service = await startService({ fixture: "fixture.yaml" });
 * afterAll(() => service.close());
 */
export const startService = (options: ServiceOptions = {}): Promise<Service> =>
  start({ recordRequests: true, ...options });

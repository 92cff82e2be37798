// Helpers for tests of apps, `cdktf-provider-steward/testing`: a service, plans and applies in the process of the test
// (docs/testing.md). The engine and the service are in their own modules.

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
export type { Tested, TestedApp, TestedStack } from "./app";
export {
  assertGrant,
  assertInSync,
  assertNoGrant,
  assertPlan,
  type ExpectedCount,
  type ExpectedCounts,
  matchers,
  type StewardMatchers,
} from "./expectations";
export { type Grant, GrantUnknownError } from "./grants";
export {
  type AppliedStacks,
  type DriftedStacks,
  type PlanCounts,
  type PlannedStacks,
  TestRunError,
} from "./results";
export type { ServiceOfTest } from "./service-of-test";
export {
  type TestRunOptions,
  type TestStack,
  type TestStackOptions,
  testStack,
} from "./test-stack";

/**
 * Starts an instance of the embedded service for a test, in memory and on a free port. The instance records its
 * requests.
 *
 * @example const service = await startService({ fixture: "fixture.yaml" }); afterAll(() => service.close());
 */
export const startService = (options: ServiceOptions = {}): Promise<Service> =>
  start({ recordRequests: true, ...options });

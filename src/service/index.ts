// The embedded implementation of the API, for learning and tests. The service shares no code with `api`, so that a
// mistake in one does not hide the same mistake in the other.

export type { FaultInput, Faults } from "./endpoint/faults";
export type { FixtureInput } from "./fixture/schema";
export type { RecordedRequest, RequestLog } from "./server/request-log";
export type { CompatMode, ServiceSettings } from "./settings/settings";
export { openApiText } from "./start/route-table";
export { checkFixture, type Service, type ServiceOptions, startService } from "./start/start";

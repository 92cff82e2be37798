export type { FaultInput, Faults } from "./endpoint/faults";
export type { FixtureInput } from "./fixture/schema";
export { fixtureSchemaText } from "./fixture/schema-document";
export type { RecordedRequest, RequestLog } from "./server/request-log";
export type { CompatMode } from "./settings/compat-mode";
export type { ServiceSettings } from "./settings/settings";
export { checkFixture } from "./start/check-fixture";
export { openApiText } from "./start/route-table";
export { type Service, type ServiceOptions, startService } from "./start/start";

// Made from src/plugin/proto/health.proto by scripts/generate.ts. Change that file.
import { Message, method } from "../codec";

interface HealthCheckRequest {
  readonly service: string;
}
const HealthCheckRequest: Message<HealthCheckRequest> = new Message(() => [["service", 1, "string"]]);

interface HealthCheckResponse {
  readonly status: "UNKNOWN" | "SERVING" | "NOT_SERVING" | "SERVICE_UNKNOWN";
}
const HealthCheckResponse: Message<HealthCheckResponse> = new Message(() => [
  ["status", 1, ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"]],
]);

export const HEALTH_SERVICE = {
  Check: method("unary", "/grpc.health.v1.Health/Check", HealthCheckRequest, HealthCheckResponse),
};

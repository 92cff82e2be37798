import type { EngineEvent } from "../../../engine";
import { describeEvent } from "../event-lines";
import { type JsonEvent, jsonEvent } from "./events";
import { resourceOf } from "./resource";

/**
 * The Terraform event for an engine event. Undefined for the progress of a phase and for warnings, which are
 * diagnostics.
 */
export function engineEventJson(event: EngineEvent): JsonEvent | undefined {
  if (event.kind === "progress" || event.kind === "warned") return undefined;
  const hook = {
    resource: resourceOf(event.address),
    ...("action" in event && { action: event.action }),
    ...("outcome" in event && { outcome: event.outcome }),
    ...("id" in event && event.id !== undefined && { id_key: "id", id_value: event.id }),
    ...("milliseconds" in event && { elapsed_seconds: Math.round(event.milliseconds / 1000) }),
  };
  const level = event.kind === "apply_errored" ? "error" : "info";
  return jsonEvent(event.kind, describeEvent(event), { hook }, level);
}

import type { AttributePath, Diagnostic, DiagnosticAction } from "../../diagnostics";
import type { RequestEvent } from "../../framework";
import type { SensitiveTexts } from "../../text";
import type { EngineEvent } from "../model/events";

/** Collects the sensitive texts at these paths of a value. */
export function collectSensitive(
  texts: SensitiveTexts | undefined,
  value: unknown,
  paths: readonly AttributePath[],
): void {
  if (texts === undefined || paths.length === 0) return;
  for (const path of paths) {
    const found = path.reduce<unknown>(
      (at, step) =>
        typeof at === "object" && at !== null ? (at as Record<string | number, unknown>)[step] : undefined,
      value,
    );
    texts.add(found);
  }
}

/** Redacts an event: an id consists of names, which may be sensitive. */
export const redactEvent = (event: EngineEvent, texts: SensitiveTexts): EngineEvent =>
  "id" in event && event.id !== undefined ? { ...event, id: texts.redactId(event.id) } : event;

/** Redacts a diagnostic. Addresses stay: they are names of the configuration. */
export const redactDiagnostic = (diagnostic: Diagnostic, texts: SensitiveTexts): Diagnostic => ({
  ...diagnostic,
  detail: texts.redactMessage(diagnostic.detail),
  ...(diagnostic.action !== undefined && { action: redactAction(diagnostic.action, texts) }),
});

/** Redacts the import id of an action, which consists of names. */
const redactAction = (action: DiagnosticAction, texts: SensitiveTexts): DiagnosticAction =>
  action.kind === "import" || (action.kind === "removed" && action.id !== undefined)
    ? { ...action, id: texts.redactId(action.id!) }
    : action;

/** Redacts the path of a request. */
export const redactRequest = (event: RequestEvent, texts: SensitiveTexts): RequestEvent =>
  event.kind === "waiting" ? event : { ...event, path: texts.redactPath(event.path) };

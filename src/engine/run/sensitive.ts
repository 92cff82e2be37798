import type { AttributePath, Diagnostic, DiagnosticAction } from "../../diagnostics";
import type { RequestEvent } from "../../framework";
import type { SensitiveTexts } from "../../text";
import type { EngineEvent } from "../model/events";

/** Keeps what stands at these paths of a value from being shown. */
export function keepAt(
  texts: SensitiveTexts | undefined,
  value: unknown,
  paths: readonly AttributePath[],
): void {
  for (const path of paths) {
    const found = path.reduce<unknown>(
      (at, step) =>
        typeof at === "object" && at !== null ? (at as Record<string | number, unknown>)[step] : undefined,
      value,
    );
    texts?.add(found);
  }
}

/** An event as it is shown: an id is made of names, and one of them may be sensitive. */
export const shownEvent = (event: EngineEvent, texts: SensitiveTexts): EngineEvent =>
  "id" in event && event.id !== undefined ? { ...event, id: texts.redactId(event.id) } : event;

/** A diagnostic as it is shown. Addresses stay: they are what the code calls an object. */
export const shownDiagnostic = (diagnostic: Diagnostic, texts: SensitiveTexts): Diagnostic => ({
  ...diagnostic,
  detail: texts.redactMessage(diagnostic.detail),
  ...(diagnostic.action !== undefined && { action: shownAction(diagnostic.action, texts) }),
});

/** Addresses stay here as well; the id of an import is made of names. */
const shownAction = (action: DiagnosticAction, texts: SensitiveTexts): DiagnosticAction =>
  action.kind === "import" || (action.kind === "removed" && action.id !== undefined)
    ? { ...action, id: texts.redactId(action.id!) }
    : action;

/** A step of a request as it is shown. */
export const shownRequest = (event: RequestEvent, texts: SensitiveTexts): RequestEvent =>
  event.kind === "waiting" ? event : { ...event, path: texts.redactPath(event.path) };

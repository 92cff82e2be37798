import type { AttributePath, Diagnostic, DiagnosticAction } from "../../diagnostics";
import type { RequestEvent } from "../../framework";
import { fromPlain, impliedType, markPaths, sensitiveAttributes, type Value } from "../../language";
import type { Attributes, ValueObject } from "../../schema";
import type { InstanceState, SensitivePath } from "../../state";
import { SensitiveTexts } from "../../text";
import type { EngineEvent } from "./events";
import type { ResourceChange } from "./plan";

/** Collects the sensitive texts at the given paths of a value. */
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

/** Redacts the id in an event, because an id consists of names, which can be sensitive. */
export const redactEvent = (event: EngineEvent, texts: SensitiveTexts): EngineEvent =>
  "id" in event && event.id !== undefined ? { ...event, id: texts.redactId(event.id) } : event;

/**
 * Redacts the detail and the action of a diagnostic. Does not redact addresses, because they consist of names in the
 * configuration.
 */
export const redactDiagnostic = (diagnostic: Diagnostic, texts: SensitiveTexts): Diagnostic => ({
  ...diagnostic,
  detail: texts.redactMessage(diagnostic.detail),
  ...(diagnostic.action !== undefined && { action: redactAction(diagnostic.action, texts) }),
});

/** Redacts the import id in an action, because import ids consist of names. */
const redactAction = (action: DiagnosticAction, texts: SensitiveTexts): DiagnosticAction =>
  action.kind === "import" || (action.kind === "removed" && action.id !== undefined)
    ? { ...action, id: texts.redactId(action.id!) }
    : action;

/** Redacts the path of a request. */
export const redactRequest = (event: RequestEvent, texts: SensitiveTexts): RequestEvent =>
  "path" in event ? { ...event, path: texts.redactPath(event.path) } : event;

/**
 * Returns the sensitive paths of an object in the state: the paths of the schema, and the paths that the state
 * marks.
 */
export function sensitivePathsOf(
  instance: InstanceState | undefined,
  attributes: Attributes,
): readonly AttributePath[] {
  const bySchema = sensitiveAttributes(attributes);
  const noted = instance?.sensitivePaths ?? [];
  return noted.length === 0 ? bySchema : distinct([...noted.map(fromState), ...bySchema]);
}

/** Returns the attributes of an object as a value for expressions, with marks at the sensitive paths. */
export const markedValue = (
  attributes: Attributes,
  values: ValueObject | null,
  sensitive: readonly AttributePath[],
): Value => markPaths(fromPlain(values, impliedType(attributes)), sensitive);

/**
 * Converts a path of the state to an attribute path. The result ends before the first element of a set, because a set is
 * sensitive as a whole.
 */
function fromState(path: SensitivePath): AttributePath {
  const steps: (string | number)[] = [];
  for (const step of path) {
    const next = "attribute" in step ? step.attribute : step.index;
    if (typeof next !== "string" && typeof next !== "number") break;
    steps.push(next);
  }
  return steps;
}

/** Converts attribute paths to paths of a state. As under Terraform, the result includes the sensitive paths of the schema. */
export const toState = (paths: readonly AttributePath[], attributes: Attributes): SensitivePath[] =>
  distinct([...paths, ...sensitiveAttributes(attributes)]).map((path) =>
    path.map((step, depth) => (depth === 0 ? { attribute: String(step) } : stepOf(step))),
  );

const distinct = (paths: readonly AttributePath[]): AttributePath[] => [
  ...new Map(paths.map((path) => [JSON.stringify(path), path])).values(),
];

const stepOf = (step: string | number): SensitivePath[number] =>
  typeof step === "number" ? { index: step } : { attribute: step };

/** Returns whether two lists contain the same paths, in any order. */
export function hasSamePaths(one: readonly AttributePath[], other: readonly AttributePath[]): boolean {
  if (one.length === 0 && other.length === 0) return true;
  const texts = (paths: readonly AttributePath[]) => new Set(paths.map((path) => JSON.stringify(path)));
  const [left, right] = [texts(one), texts(other)];
  return left.size === right.size && [...left].every((path) => right.has(path));
}

/**
 * Returns the paths to hide in an object's values: the sensitive paths, and the id if it contains a sensitive value. The id is
 * hidden only in output. As under Terraform, an expression that refers to the id is not sensitive.
 */
export function hiddenPaths(
  values: ValueObject | null,
  paths: readonly AttributePath[],
): readonly AttributePath[] {
  const id = values?.["id"];
  if (typeof id !== "string" || shownId(values, paths) === id) return paths;
  return [...paths, ["id"]];
}

/** Returns the id of an object, with sensitive values redacted. Undefined if the object has no id. */
export function shownId(values: ValueObject | null, paths: readonly AttributePath[]): string | undefined {
  const id = values?.["id"];
  if (typeof id !== "string") return undefined;
  const texts = new SensitiveTexts();
  collectSensitive(texts, values, paths);
  return texts.redactId(id);
}

/** Returns the import id of a planned object, with sensitive values redacted. */
export function shownImportId(
  change: Pick<ResourceChange, "importing" | "before" | "beforeSensitive" | "after" | "afterSensitive">,
): string {
  const texts = new SensitiveTexts();
  collectSensitive(texts, change.before, change.beforeSensitive);
  collectSensitive(texts, change.after, change.afterSensitive);
  return texts.redactId(change.importing?.id ?? "");
}

import type { AttributePath } from "../../diagnostics";
import type { Attributes, ValueObject } from "../../provider/schema";
import { SensitiveTexts } from "../../text";
import { sensitiveAttributes } from "../evaluate/plain";
import { keepAt } from "../run/sensitive";
import type { InstanceState, SensitivePath } from "../state/model";
import type { ResourceChange } from "./model";

/** The sensitive paths of an object in the state: those of the schema, and those that the state itself notes. */
export function sensitivePathsOf(
  instance: InstanceState | undefined,
  attributes: Attributes,
): AttributePath[] {
  const noted = (instance?.sensitivePaths ?? []).map(fromState);
  return distinct([...noted, ...sensitiveAttributes(attributes)]);
}

/** A path of the state, as far as it goes by names and positions; sets are sensitive as a whole. */
function fromState(path: SensitivePath): AttributePath {
  const steps: (string | number)[] = [];
  for (const step of path) {
    const next = "attribute" in step ? step.attribute : step.index;
    if (typeof next !== "string" && typeof next !== "number") break;
    steps.push(next);
  }
  return steps;
}

/**
 * What is not to be shown of an object's values: what stands at the paths that are known to be sensitive, and the id, where
 * something of that is a part of it. References to the id are no secret for that, as under Terraform.
 */
export function hiddenPaths(
  values: ValueObject | null,
  paths: readonly AttributePath[],
): readonly AttributePath[] {
  const id = values?.["id"];
  if (typeof id !== "string" || shownId(values, paths) === id) return paths;
  return [...paths, ["id"]];
}

/** An object's id without what is sensitive in its values; undefined where it has none. */
export function shownId(values: ValueObject | null, paths: readonly AttributePath[]): string | undefined {
  const id = values?.["id"];
  if (typeof id !== "string") return undefined;
  const texts = new SensitiveTexts();
  keepAt(texts, values, paths);
  return texts.hideInId(id);
}

/** The id that an object of a plan is imported by, without what is sensitive in its values. */
export function shownImportId(
  change: Pick<ResourceChange, "importing" | "before" | "beforeSensitive" | "after" | "afterSensitive">,
): string {
  const texts = new SensitiveTexts();
  keepAt(texts, change.before, change.beforeSensitive);
  keepAt(texts, change.after, change.afterSensitive);
  return texts.hideInId(change.importing?.id ?? "");
}

/** The other way round; Terraform notes what the schema says as well. */
export const toState = (paths: readonly AttributePath[], attributes: Attributes): SensitivePath[] =>
  distinct([...paths, ...sensitiveAttributes(attributes)]).map((path) =>
    path.map((step, depth) => (depth === 0 ? { attribute: String(step) } : stepOf(step))),
  );

const distinct = (paths: readonly AttributePath[]): AttributePath[] => [
  ...new Map(paths.map((path) => [JSON.stringify(path), path])).values(),
];

const stepOf = (step: string | number): SensitivePath[number] =>
  typeof step === "number" ? { index: step } : { attribute: step };

/** Whether two lists of paths name the same places, in whatever order. */
export function samePaths(one: readonly AttributePath[], other: readonly AttributePath[]): boolean {
  if (one.length === 0 && other.length === 0) return true;
  const texts = (paths: readonly AttributePath[]) => new Set(paths.map((path) => JSON.stringify(path)));
  const [left, right] = [texts(one), texts(other)];
  return left.size === right.size && [...left].every((path) => right.has(path));
}

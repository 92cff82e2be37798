import type { AttributePath } from "../../diagnostics";
import type { ValueObject } from "../../schema";
import { SensitiveTexts } from "../../text";
import type { ResourceChange } from "../model/plan";
import { keepAt } from "../run/sensitive";

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
  return texts.redactId(id);
}

/** The id that an object of a plan is imported by, without what is sensitive in its values. */
export function shownImportId(
  change: Pick<ResourceChange, "importing" | "before" | "beforeSensitive" | "after" | "afterSensitive">,
): string {
  const texts = new SensitiveTexts();
  keepAt(texts, change.before, change.beforeSensitive);
  keepAt(texts, change.after, change.afterSensitive);
  return texts.redactId(change.importing?.id ?? "");
}

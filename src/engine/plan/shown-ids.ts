import type { AttributePath } from "../../diagnostics";
import type { ValueObject } from "../../schema";
import { SensitiveTexts } from "../../text";
import type { ResourceChange } from "../model/plan";
import { collectSensitive } from "../run/redaction";

/**
 * The paths to hide in an object's values: the sensitive ones, and the id if it contains a sensitive value.
 * As under Terraform, a reference to the id does not make it sensitive.
 */
export function hiddenPaths(
  values: ValueObject | null,
  paths: readonly AttributePath[],
): readonly AttributePath[] {
  const id = values?.["id"];
  if (typeof id !== "string" || shownId(values, paths) === id) return paths;
  return [...paths, ["id"]];
}

/** An object's id with sensitive values redacted; undefined if it has none. */
export function shownId(values: ValueObject | null, paths: readonly AttributePath[]): string | undefined {
  const id = values?.["id"];
  if (typeof id !== "string") return undefined;
  const texts = new SensitiveTexts();
  collectSensitive(texts, values, paths);
  return texts.redactId(id);
}

/** The import id of a planned object, with sensitive values redacted. */
export function shownImportId(
  change: Pick<ResourceChange, "importing" | "before" | "beforeSensitive" | "after" | "afterSensitive">,
): string {
  const texts = new SensitiveTexts();
  collectSensitive(texts, change.before, change.beforeSensitive);
  collectSensitive(texts, change.after, change.afterSensitive);
  return texts.redactId(change.importing?.id ?? "");
}

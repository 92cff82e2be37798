import { fail, warning } from "../../diagnostics";
import type { Value, ValueObject } from "../../schema";

// Reads states of the Go provider. Its older releases store 0 and "" for omitted attributes.

/** @throws DiagnosticError if the attribute is not a non-empty string */
export function textOf(source: ValueObject, name: string): string {
  const value = source[name];
  return typeof value === "string" && value !== "" ? value : unreadable(name, "a string");
}

/** A numeric id or a count; undefined if the state has none. @throws DiagnosticError if it is not a whole number */
export function numberOf(source: ValueObject, name: string): number | undefined {
  const value = source[name] ?? 0;
  if (!Number.isSafeInteger(value) || (value as number) < 0) return unreadable(name, "a whole number");
  return value === 0 ? undefined : (value as number);
}

/** Numeric ids as the strings that references hold. @throws DiagnosticError */
export function idsOf(source: ValueObject, name: string): readonly string[] {
  return listOf(source, name).map((each) =>
    Number.isSafeInteger(each) ? String(each) : unreadable(name, "a set of ids"),
  );
}

/** @throws DiagnosticError */
export function objectsOf(source: ValueObject, name: string): readonly ValueObject[] {
  return listOf(source, name).map((each) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? (each as ValueObject)
      : unreadable(name, "a list of objects"),
  );
}

function listOf(source: ValueObject, name: string): readonly Value[] {
  const value = source[name] ?? [];
  return Array.isArray(value) ? value : unreadable(name, "a list");
}

export const unreadable = (name: string, wanted: string): never =>
  fail({
    code: "move_source_unreadable",
    summary: "Unreadable state of another provider",
    detail:
      `In the state of the resource that a moved block moves, ${name} is not ${wanted}. ` +
      "Remove the old resource from the state with a removed block, and import the object.",
  });

export const attributesNotMoved = (detail: string) =>
  warning({ code: "move_leaves_behind", summary: "Setting not moved", detail });

import { fail, warning } from "../../diagnostics";
import type { Value, ValueObject } from "../../schema";

// Reads states that the Go provider wrote. Its older releases wrote 0 and "" for what was left out.

/** @throws DiagnosticError where there is none */
export function textOf(source: ValueObject, name: string): string {
  const value = source[name];
  return typeof value === "string" && value !== "" ? value : unreadable(name, "a text");
}

/** A numeric id, or a count; nothing where the state has none. @throws DiagnosticError where it is something else */
export function numberOf(source: ValueObject, name: string): number | undefined {
  const value = source[name] ?? 0;
  if (!Number.isSafeInteger(value) || (value as number) < 0) return unreadable(name, "a whole number");
  return value === 0 ? undefined : (value as number);
}

/** Numeric ids as references have them. @throws DiagnosticError */
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
    summary: "State of another provider that can't be read",
    detail:
      `The state that a moved block leads from has in ${name} something else than ${wanted}. ` +
      "Take the old resource out of the state with a removed block, and import the object.",
  });

export const leftBehind = (detail: string) =>
  warning({ code: "move_leaves_behind", summary: "A setting has no place in the new resource", detail });

import { type Diagnostic, type DiagnosticPath, error, formatPath, warning } from "../../diagnostics";
import type { ReferenceKind } from "../../schema";
import type { ReferencedObject } from "./path-batches";

/** The result of a comparison: whether a path in the code still means the object that it meant at the last apply. */
export type Meaning =
  /** The path still means the object of the last apply. */
  | { readonly is: "same" }
  /** The object exists, but has another path now, or its deletion is scheduled. */
  | { readonly is: "moved"; readonly now: ReferencedObject }
  /**
   * The path now means another object. `held` is the object that had the path at the last apply; undefined if this token can't
   * see it.
   */
  | { readonly is: "taken"; readonly now: ReferencedObject; readonly held: ReferencedObject | undefined }
  /** No object has the path now, and this token can't see the object that had it at the last apply. */
  | { readonly is: "missing" }
  /** The service refused the look-up, so the path was not compared. */
  | { readonly is: "not compared" };

export const SAME: Meaning = { is: "same" };
export const MISSING: Meaning = { is: "missing" };
export const NOT_COMPARED: Meaning = { is: "not compared" };

/** Returns whether two paths or two usernames are equal. Upper and lower case make no difference. */
export const isSamePath = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** A path in a declaration, and the id that it had at the last apply. */
export interface HeldReference {
  readonly kind: ReferenceKind;
  readonly text: string;
  readonly id: number;
  readonly attribute: DiagnosticPath;
}

/**
 * Returns the diagnostic about a path whose object changed or moved, or that could not be compared; undefined for any other path.
 */
export function diagnosticOf(held: HeldReference, meaning: Meaning): Diagnostic | undefined {
  if (meaning.is === "moved") return movedSince(held, meaning.now);
  if (meaning.is === "taken") return takenSince(held, meaning.now, meaning.held);
  if (meaning.is === "not compared") return notCompared(held);
  return undefined;
}

function movedSince({ kind, text, id, attribute }: HeldReference, now: ReferencedObject): Diagnostic {
  const cause = `${kind} ${text} ${id}`;
  if (isSamePath(now.path, text))
    return warning({
      code: "deletion_scheduled",
      summary: `Deletion of a ${kind} is scheduled`,
      detail: `\`${formatPath(attribute)}\` refers to the ${kind} "${text}" (${id}), whose deletion was scheduled on ${now.deletionScheduledOn}. Restore the ${kind}, or remove its declarations from the code.`,
      attribute,
      cause,
    });
  return warning({
    code: "reference_moved",
    summary: `A ${kind} has moved`,
    detail: `\`${formatPath(attribute)}\` refers to the ${kind} "${text}" (${id}), ${howMoved(kind, text, now)}. Steward still manages this ${kind} by its ID. Write "${now.path}" in the code.`,
    attribute,
    cause,
  });
}

function howMoved(kind: ReferenceKind, text: string, now: ReferencedObject): string {
  const wasTransferred = kind !== "user" && parentOf(text) !== parentOf(now.path);
  return `which was ${wasTransferred ? "transferred" : "renamed"} to "${now.path}"${standing(now, ", and ")}`;
}

const parentOf = (path: string): string => path.toLowerCase().split("/").slice(0, -1).join("/");

/**
 * Returns a clause that says that an object is archived or that its deletion is scheduled, after `conjunction`; "" for any other
 * object.
 */
function standing({ isArchived, deletionScheduledOn }: ReferencedObject, conjunction: string): string {
  const said = [
    ...(isArchived === true ? ["is archived"] : []),
    ...(deletionScheduledOn === undefined ? [] : [`was scheduled for deletion on ${deletionScheduledOn}`]),
  ];
  return said.length === 0 ? "" : conjunction + said.join(" and ");
}

function takenSince(
  { kind, text, id, attribute }: HeldReference,
  now: ReferencedObject,
  held: ReferencedObject | undefined,
): Diagnostic {
  const name = kind === "user" ? "username" : "path";
  const before =
    held === undefined
      ? `which this token can no longer find`
      : `whose ${name} is now "${held.path}"${standing(held, " and which ")}`;
  const one = `${kind} ${id}`;
  const other = `${kind} ${now.id}`;
  return error({
    code: "reference_taken",
    summary: `A path now belongs to another ${kind}`,
    detail: `At the last apply, the ${name} "${text}" in \`${formatPath(attribute)}\` belonged to ${one}, ${before}. Now this ${name} belongs to ${other}${standing(now, ", which ")}. Until you resolve this conflict, Steward skips objects that are declared with this ${name}. Replace the ${name} with the numeric ID: "${id}" for ${one}, or "${now.id}" for ${other}. After the next apply, you can replace the ID with the current ${name} of the same ${kind}. If you no longer need the object for ${one}, destroy it or remove it from the state.`,
    attribute,
    cause: `${kind} ${text} ${id}`,
  });
}

const notCompared = ({ kind, text, attribute }: HeldReference): Diagnostic =>
  warning({
    code: "reference_not_compared",
    summary: `A ${kind} was not looked up`,
    detail: `This token is not allowed to look up the ${kind} "${text}" of \`${formatPath(attribute)}\`. The path may now belong to another ${kind}. Steward manages the object by the ID in the state. To check the path, use a token that can see the ${kind}.`,
    attribute,
    cause: `look-ups of a ${kind}`,
  });

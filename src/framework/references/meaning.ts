import { type Diagnostic, type DiagnosticPath, error, formatPath, warning } from "../../diagnostics";
import type { ReferenceKind } from "../../schema";
import type { ReferencedObject } from "./path-batches";

/** Describes the object of a path, compared with the object that it was applied with. */
export type Meaning =
  /** Means the same object, under this path. */
  | { readonly is: "same" }
  /** Means the same object: it has another path now, or its deletion is scheduled. */
  | { readonly is: "moved"; readonly now: ReferencedObject }
  /** Another object. The one that was meant is undefined if it is not visible to this token. */
  | { readonly is: "taken"; readonly now: ReferencedObject; readonly held: ReferencedObject | undefined }
  /** Nothing has the path, and the object that was meant is not visible to this token. */
  | { readonly is: "missing" }
  /** The service refuses the look-up. */
  | { readonly is: "not compared" };

export const SAME: Meaning = { is: "same" };
export const MISSING: Meaning = { is: "missing" };
export const NOT_COMPARED: Meaning = { is: "not compared" };

/** Compares paths and usernames, which are the same in any case. */
export const isSamePath = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** A path of a declaration, and the object that it meant when it was applied. */
export interface HeldReference {
  readonly kind: ReferenceKind;
  readonly text: string;
  readonly id: number;
  readonly attribute: DiagnosticPath;
}

/** Returns the diagnostic of a path that means something else now, or whose object moved; undefined for all others. */
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
      summary: `The deletion of a ${kind} is scheduled`,
      detail:
        `${formatPath(attribute)} refers to the ${kind} "${text}" (${id}), whose deletion is scheduled since ` +
        `${now.deletionScheduledOn}. Restore it, or remove its declarations from the code.`,
      attribute,
      cause,
    });
  return warning({
    code: "reference_moved",
    summary: `A ${kind} has moved`,
    detail:
      `${formatPath(attribute)} refers to the ${kind} "${text}" (${id}), ${howMoved(kind, text, now)}. ` +
      `It is still managed, by its id. Write "${now.path}" in the code.`,
    attribute,
    cause,
  });
}

function howMoved(kind: ReferenceKind, text: string, now: ReferencedObject): string {
  const wasTransferred = kind !== "user" && parentOf(text) !== parentOf(now.path);
  return `which was ${wasTransferred ? "transferred" : "renamed"}: it is "${now.path}" now${standing(now, ", and ")}`;
}

const parentOf = (path: string): string => path.toLowerCase().split("/").slice(0, -1).join("/");

/** Returns the archive and deletion status of an object, after a conjunction; empty for most objects. */
function standing({ isArchived, deletionScheduledOn }: ReferencedObject, conjunction: string): string {
  const said = [
    ...(isArchived === true ? ["is archived"] : []),
    ...(deletionScheduledOn === undefined ? [] : [`is scheduled for deletion since ${deletionScheduledOn}`]),
  ];
  return said.length === 0 ? "" : conjunction + said.join(" and ");
}

function takenSince(
  { kind, text, id, attribute }: HeldReference,
  now: ReferencedObject,
  held: ReferencedObject | undefined,
): Diagnostic {
  const before =
    held === undefined
      ? `which this token can't find any more`
      : `whose path is "${held.path}" now${standing(held, " and which ")}`;
  const one = `the ${kind} ${id}`;
  const other = `the ${kind} ${now.id}`;
  return error({
    code: "reference_taken",
    summary: `A path means another ${kind} now`,
    detail:
      `When it was applied, ${formatPath(attribute)} = "${text}" meant ${one}, ${before}. Now "${text}" is ` +
      `${other}${standing(now, ", which ")}. Nothing that is declared by this path is compared, changed or repaired. ` +
      `Declare the numeric id of the ${kind} that you mean: "${id}" keeps ${one}, "${now.id}" takes ${other}. After one ` +
      `apply, the path of that ${kind} may return to the code. To give up the object in ${one}, destroy it, or remove it ` +
      "from the state: both work by its id.",
    attribute,
    cause: `${kind} ${text} ${id}`,
  });
}

const notCompared = ({ kind, text, attribute }: HeldReference): Diagnostic =>
  warning({
    code: "reference_not_compared",
    summary: `A ${kind} could not be looked up`,
    detail:
      `The service refuses to look up the ${kind} "${text}" of ${formatPath(attribute)} for this token. The path may mean ` +
      "something else now. The object is managed by the id in the state.",
    attribute,
    cause: `look-ups of a ${kind}`,
  });

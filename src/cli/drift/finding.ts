import { createHash } from "node:crypto";
import { canonicalJson, type DriftedObject, type UncheckedObject, type UnmanagedObject } from "../../engine";
import { fieldsOf, fieldsOfUndeclared } from "../difference";

/** One difference that a drift run found. */
export type Finding =
  | {
      readonly kind: "changed" | "vanished";
      readonly stack: string | undefined;
      readonly drifted: DriftedObject;
    }
  | { readonly kind: "unmanaged"; readonly object: UnmanagedObject }
  | UncheckedFinding;

/** An object that could not be checked. It is an error in every run, even if an earlier run reported it. */
export interface UncheckedFinding {
  readonly kind: "unchecked";
  readonly unchecked: UncheckedObject;
}

/** The name of a finding: the address of a declared object, or type and id of an undeclared one. */
export function nameOf(finding: Finding): string {
  if (finding.kind === "unmanaged") return unmanagedName(finding.object);
  return finding.kind === "unchecked" ? finding.unchecked.object.address : finding.drifted.change.address;
}

export const unmanagedName = ({ type, id }: UnmanagedObject): string => `${type} ${id}`;

/**
 * Identifies the same difference in another run: the same object, attributes and live values. Values of
 * sensitive attributes are not included.
 */
export function fingerprintOf(finding: Exclude<Finding, UncheckedFinding>): string {
  const facts =
    finding.kind === "unmanaged"
      ? [unmanagedName(finding.object), ...undeclaredValues(finding.object)]
      : [finding.stack ?? "", nameOf(finding), ...liveValues(finding.drifted)];
  return createHash("sha256")
    .update(JSON.stringify([finding.kind, ...facts]))
    .digest("hex")
    .slice(0, 20);
}

/** Of an object that somebody made by hand only the object counts; of settings, their values. */
const undeclaredValues = (object: UnmanagedObject): readonly (readonly [string, string])[] =>
  object.undeclared === undefined
    ? []
    : fieldsOfUndeclared(object)
        .filter(({ name }) => object.undeclared!.includes(name))
        .map(
          ({ name, difference }) =>
            [name, difference.kind === "hidden" ? "" : canonicalJson(object.live[name] ?? null)] as const,
        );

function liveValues({ change, attributes }: DriftedObject): readonly (readonly [string, string])[] {
  const hidden = new Set(
    fieldsOf(change)
      .filter(({ difference }) => difference.kind === "hidden")
      .map(({ name }) => name),
  );
  return [...attributes]
    .sort()
    .map((name) => [name, hidden.has(name) ? "" : canonicalJson(change.after?.[name] ?? null)] as const);
}

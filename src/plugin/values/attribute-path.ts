import type { DiagnosticPath } from "../../diagnostics";
import type { Attributes } from "../../schema";
import type { Sent } from "../messages/codec";
import type { Messages } from "../messages/generated/tfplugin6";

type Step = Sent<Messages["AttributePath.Step"]>;

/**
 * The part of a path that Terraform can point at: an attribute, and an element of a list or a map. An element of a set
 * has no place there, and what lies inside of an element is not found.
 */
export function pointablePath(attributes: Attributes, path: DiagnosticPath): DiagnosticPath {
  const [name, element] = path;
  if (name === undefined) return [];
  const type = attributes[String(name)]?.type;
  const hasPlaces = type?.kind === "list" || type?.kind === "map";
  return element !== undefined && hasPlaces ? [name, element] : [name];
}

/** A path as the protocol has it. */
export const writePath = (attributes: Attributes, path: DiagnosticPath): Sent<Messages["AttributePath"]> => ({
  steps: pointablePath(attributes, path).map((step, depth): Step => {
    if (depth === 0) return { attributeName: String(step) };
    return typeof step === "number" ? { elementKeyInt: step } : { elementKeyString: String(step) };
  }),
});

import type { DiagnosticPath } from "../../diagnostics";
import type { Attributes } from "../../schema";
import type { Sent } from "../messages/codec";
import type { Messages } from "../messages/generated/tfplugin6";

type ProtocolStep = Sent<Messages["AttributePath.Step"]>;

/**
 * The part of a path that Terraform can point at: an attribute, or an element of a list or a map. It has no
 * step to an element of a set, and does not find attributes within an element.
 */
export function pointablePath(attributes: Attributes, path: DiagnosticPath): DiagnosticPath {
  const [name, element] = path;
  if (name === undefined) return [];
  const type = attributes[String(name)]?.type;
  const isAddressable = type?.kind === "list" || type?.kind === "map";
  return element !== undefined && isAddressable ? [name, element] : [name];
}

/** A path in the protocol's form. */
export const writePath = (attributes: Attributes, path: DiagnosticPath): Sent<Messages["AttributePath"]> => ({
  steps: pointablePath(attributes, path).map((step, depth): ProtocolStep => {
    if (depth === 0) return { attributeName: String(step) };
    return typeof step === "number" ? { elementKeyInt: step } : { elementKeyString: String(step) };
  }),
});

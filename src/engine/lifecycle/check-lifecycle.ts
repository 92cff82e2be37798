import { type Diagnostic, error, nearest, warning } from "../../diagnostics";
import {
  impliedType,
  locate,
  NO_LIFECYCLE,
  type ResourceDeclaration,
  referencedDeclaration,
  references,
  type Traversal,
  type Type,
  textOf,
} from "../../language";
import type { Attributes } from "../../schema";
import { checkTriggers } from "./replace-triggers";

/** Validates a lifecycle block against the schema and the configuration. */
export const checkLifecycle = (declaration: ResourceDeclaration, attributes: Attributes): Diagnostic[] =>
  declaration.lifecycle === NO_LIFECYCLE
    ? []
    : [
        ...checkIgnored(declaration, attributes),
        ...checkTriggers(declaration),
        ...checkPreconditions(declaration),
      ];

function checkIgnored(declaration: ResourceDeclaration, attributes: Attributes): Diagnostic[] {
  const { ignoreChanges } = declaration.lifecycle;
  if (ignoreChanges === "all") return [];
  return ignoreChanges.flatMap((traversal, index) => {
    const site = locate(declaration, ["lifecycle", "ignore_changes", index]);
    const problem = ignoreProblem(traversal, attributes);
    if (problem !== undefined) {
      const summary = "Invalid element of ignore_changes";
      return [error({ code: "invalid_lifecycle", summary, detail: problem, ...site })];
    }
    if (attributes[traversal.root]!.presence !== "computed") return [];
    const detail =
      `ignore_changes names ${traversal.root}, which is computed by the service: it never has a change to ignore. ` +
      "Remove it.";
    return [
      warning({ code: "invalid_lifecycle", summary: "Redundant element of ignore_changes", detail, ...site }),
    ];
  });
}

function ignoreProblem({ root, steps }: Traversal, attributes: Attributes): string | undefined {
  let type: Type | undefined = impliedType(attributes).attributes.get(root);
  if (type === undefined) {
    const close = nearest(root, Object.keys(attributes));
    return `There is no attribute "${root}" here.${close === undefined ? "" : ` Did you mean "${close}"?`}`;
  }
  for (const step of steps) {
    if (type === undefined || type.kind === "dynamic") return undefined;
    if (type.kind === "set")
      return `The elements of a set have no keys: ${root} can be ignored as a whole alone.`;
    const name =
      "attribute" in step
        ? step.attribute
        : step.index.type.kind === "string"
          ? textOf(step.index)
          : undefined;
    if (type.kind === "object") {
      type = name === undefined ? undefined : type.attributes.get(name);
      if (type === undefined)
        return `${root} has no attribute${name === undefined ? " of that kind" : ` "${name}"`}.`;
    } else if (type.kind === "list" || type.kind === "map") type = type.element;
    else return `${root} has nothing inside that could be named.`;
  }
  return undefined;
}

/** Rejects preconditions that refer to their own object: it does not exist when they are evaluated. */
const checkPreconditions = (declaration: ResourceDeclaration): Diagnostic[] =>
  declaration.lifecycle.preconditions.flatMap(({ condition, errorMessage }, index) => {
    const named = [condition, errorMessage]
      .flatMap(references)
      .map((traversal) => referencedDeclaration(traversal).address);
    if (!named.some((address) => address === "self" || address === declaration.address)) return [];
    const detail =
      "A precondition is evaluated before its object exists, so it can't refer to the object. Use a postcondition.";
    const site = locate(declaration, ["lifecycle", "precondition", index, "condition"]);
    return [error({ code: "invalid_condition", summary: "Invalid precondition", detail, ...site })];
  });

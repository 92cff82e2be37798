import type { Traversal } from ".";

/** The declaration that a traversal refers to: its address, and the number of steps that name it. */
export interface ReferencedDeclaration {
  /**
   * For example `var.region`, `local.teams`, `acme_thing.web`, `data.acme_thing.web`, `each.key`,
   * or `self`.
   */
  readonly address: string;
  readonly steps: number;
  readonly kind:
    | "variable"
    | "local"
    | "resource"
    | "data"
    | "repetition"
    | "path"
    | "terraform"
    | "incomplete";
}

const ROOTS: Readonly<Record<string, ReferencedDeclaration["kind"]>> = {
  var: "variable",
  local: "local",
  each: "repetition",
  count: "repetition",
  path: "path",
  terraform: "terraform",
};

/** Finds the declaration by the syntax alone, without a configuration. */
export function referencedDeclaration({ root, steps }: Traversal): ReferencedDeclaration {
  const name = (index: number): string | undefined => {
    const step = steps[index];
    return step !== undefined && "attribute" in step ? step.attribute : undefined;
  };
  if (root === "self") return { kind: "repetition", address: "self", steps: 0 };
  const known = ROOTS[root];
  if (known !== undefined) return subject(known, [root, name(0)]);
  // `resource.TYPE.NAME` is the long form of TYPE.NAME.
  if (root === "resource" && name(1) !== undefined)
    return { kind: "resource", address: `${name(0)}.${name(1)}`, steps: 2 };
  return root === "data" ? subject("data", [root, name(0), name(1)]) : subject("resource", [root, name(0)]);
}

function subject(
  kind: ReferencedDeclaration["kind"],
  names: readonly (string | undefined)[],
): ReferencedDeclaration {
  const given = names.filter((name) => name !== undefined);
  return given.length < names.length
    ? { kind: "incomplete", address: given.join("."), steps: given.length - 1 }
    : { kind, address: given.join("."), steps: names.length - 1 };
}

import type { Traversal } from ".";

/** What a traversal refers to: the declaration's address, and how many of its steps name it. */
export interface Subject {
  /** Such as `var.region`, `local.teams`, `steward_project.web`, `data.steward_project.web`, `each.key`, or `self`. */
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

const ROOTS: Readonly<Record<string, Subject["kind"]>> = {
  var: "variable",
  local: "local",
  each: "repetition",
  count: "repetition",
  path: "path",
  terraform: "terraform",
};

/** Reads the names at the beginning of a traversal; no configuration is needed for that. */
export function subjectOf({ root, steps }: Traversal): Subject {
  const name = (index: number): string | undefined => {
    const step = steps[index];
    return step !== undefined && "attribute" in step ? step.attribute : undefined;
  };
  if (root === "self") return { kind: "repetition", address: "self", steps: 0 };
  const known = ROOTS[root];
  if (known !== undefined) return subject(known, [root, name(0)]);
  return root === "data" ? subject("data", [root, name(0), name(1)]) : subject("resource", [root, name(0)]);
}

function subject(kind: Subject["kind"], names: readonly (string | undefined)[]): Subject {
  const given = names.filter((name) => name !== undefined);
  return given.length < names.length
    ? { kind: "incomplete", address: given.join("."), steps: given.length - 1 }
    : { kind, address: given.join("."), steps: names.length - 1 };
}

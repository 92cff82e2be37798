/** One step into a value: an attribute's name, or an element's position in a list. */
export type PathStep = string | number;

/** The way from a resource's or provider's root to one attribute, such as `["steps", 0, "port"]`. */
export type AttributePath = readonly PathStep[];

/**
 * An element of a set, by what it says, such as `user "ada"`: a set has no positions, and its order is not the user's.
 * The text is made when somebody reads it, as most paths lead to nothing wrong.
 */
export class SetElement {
  readonly #describe: () => string;

  constructor(describe: () => string) {
    this.#describe = describe;
  }

  toString(): string {
    return this.#describe();
  }
}

/** A path as diagnostics have it. */
export type DiagnosticPath = readonly (PathStep | SetElement)[];

/** Writes a path the way Terraform does, elements of sets by their content: `deploy_access_levels[user "ada"].user`. */
export function formatPath(path: DiagnosticPath): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step !== "string" ? `${text}[${step.toString()}]` : text === "" ? step : `${text}.${step}`,
    "",
  );
}

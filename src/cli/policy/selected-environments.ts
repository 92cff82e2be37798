import { type Diagnostic, nearest, warning } from "../../diagnostics";
import type { Rule } from "./rule";
import type { Subject } from "./run-rules";

/** Collects the protected environments in all plans, to find rules about an environment that no plan protects. */
export class SelectedEnvironments {
  readonly #names = new Set<string>();

  /** Records the environments in the plan of a stack. */
  see(projects: readonly Subject[]): void {
    for (const { view } of projects)
      for (const { type, attributes } of (view as Partial<ProjectView>).resources ?? [])
        if (type === "steward_protected_environment") this.#names.add(String(attributes["name"]));
  }

  /**
   * Finds probable typos: returns a warning for each rule whose environment no project protects, if the name of a protected
   * environment is similar. Without a similar name, there is no warning, because an organization's rules can name environments
   * that this app lacks.
   */
  unmatched(rules: readonly Rule[]): readonly Diagnostic[] {
    // A name that is known only after the apply can be the name in the rule.
    if ([...this.#names].some((name) => name.includes("${"))) return [];
    return rules.flatMap((rule) => {
      const { environment } = rule as { readonly environment?: string };
      if (environment === undefined || this.#names.has(environment)) return [];
      const near = nearest(environment, this.#names);
      return near === undefined ? [] : [notProtected(rule.name, environment, near)];
    });
  }
}

interface ProjectView {
  readonly resources: readonly {
    readonly type: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

const notProtected = (name: string, environment: string, near: string): Diagnostic =>
  warning({
    code: "selector_unmatched",
    summary: "Policy matches no environment",
    detail: `The policy "${name}" is about the environment ${JSON.stringify(environment)}, and no project of the app protects such an environment. Did you mean "${near}"? Correct the name. If the environment is for later, set allowEmpty: true in the rule.`,
    rule: name,
    cause: `${name} ${environment}`,
  });

import type { IConstruct } from "constructs";
import type { DeclaredProject } from "../declared/declared-project";

/** What a project does against a rule. */
export interface Violation {
  /** The construct that does it. Where something is missing, leave it out: the project's first construct is named. */
  readonly construct?: IConstruct | undefined;
  /** What is wrong, in a sentence. */
  readonly what: string;
  /** How to mend it, in a sentence. */
  readonly mend: string;
  /** The rule can't be judged: a value that it asks for is known at apply alone. */
  readonly isUndecided?: boolean | undefined;
}

/**
 * One rule for all projects of an app. A rule of one's own is an object like any other:
 *
 * @example
 * const noPages: PolicyRule = {
 *   name: "no Pages settings",
 *   why: "Pages are managed by the platform team alone.",
 *   check: (project) =>
 *     project.ofType("steward_pages_settings").map(({ construct }) => ({
 *       construct,
 *       what: "Pages settings are declared.",
 *       mend: "Take them out.",
 *     })),
 * };
 */
export interface PolicyRule {
  /** What it asks for, in a few words that errors begin with: `inbound limit on`. */
  readonly name: string;
  /** Why it is asked for, in a sentence. */
  readonly why: string;
  /** Everything that a project does against it; nothing when all is well. */
  check(project: DeclaredProject): Iterable<Violation>;
}

import type { IConstruct } from "constructs";
import type { DeclaredProject } from "../declared/declared-project";

/** How a violation is fixed. */
export type Fix =
  | {
      /** How to fix it, in a sentence. */
      readonly fix: string;
      readonly mend?: undefined;
    }
  | {
      /** @deprecated Rename it to `fix`; this name is read until the next minor version. */
      readonly mend: string;
      readonly fix?: undefined;
    };

/** A violation of a rule by a project. */
export type Violation = Fix & {
  /**
   * The construct that causes it. Omitted for something that is missing: then the project's first construct
   * is reported.
   */
  readonly construct?: IConstruct | undefined;
  /** What is wrong, in a sentence. */
  readonly what: string;
  /** The rule can't be checked: a value that it needs is known only after apply. */
  readonly isUndecided?: boolean | undefined;
};

/** Whether a violation is an error, and nothing is synthesized or applied, or only a warning. */
export type PolicyLevel = "mandatory" | "advisory";

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
 *       fix: "Take them out.",
 *     })),
 * };
 */
export interface PolicyRule {
  /** What it requires, in a few words at the start of errors: `inbound limit on`. */
  readonly name: string;
  /** The reason for the rule, in a sentence. */
  readonly why: string;
  /** @default "mandatory" */
  readonly level?: PolicyLevel | undefined;
  /**
   * Whether `--waive` may accept its violations for one run.
   *
   * @default true
   */
  readonly waivable?: boolean | undefined;
  /** Returns all violations of a project; empty if there are none. */
  check(project: DeclaredProject): Iterable<Violation>;
}

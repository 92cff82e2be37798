import type { DeclaredProject } from "../declared/declared-project";
import { type DeclaredResource, isKnown } from "../declared/declared-resource";
import type { AccessLevel } from "../generated";
import { refuseUnknownKeys } from "../keys";
import type { PolicyRule, Violation } from "./policy-rule";

/**
 * Requires every project to limit access with job tokens (`inboundEnabled: true`). A project without this limit accepts job
 * tokens of every project on the instance.
 */
export const inboundLimitOn = (): PolicyRule => ({
  name: "inbound limit on",
  why: "Without the limit, job tokens of every project on the instance have access.",
  check(project) {
    const scopes = project.ofType("steward_job_token_scope");
    const missing: Violation = {
      what: "The limit on inbound job tokens is not declared.",
      fix: "Declare a JobTokenScope with inboundEnabled: true, or set inboundEnabled of the ProjectSettings.",
    };
    if (scopes.length === 0) return [missing];
    return scopes.flatMap(({ construct, attributes }) => {
      const value = attributes["inbound_enabled"];
      if (value === true) return [];
      if (!isKnown(value)) return [undecided(construct, "inboundEnabled")];
      const what = value === undefined ? "inboundEnabled is not set." : `inboundEnabled is ${String(value)}.`;
      return [{ construct, what, fix: "Set inboundEnabled to true." }];
    });
  },
});

/**
 * Requires every project to declare its whole allowlist of projects (`allowlist.targetProjects`). Apply then removes entries that
 * people added on the platform.
 */
export const allowlistOwned = (): PolicyRule => ({
  name: "allowlist owned",
  why: "An allowlist that is not managed as a whole keeps every manual entry.",
  check(project) {
    const owner = project
      .ofType("steward_job_token_allowlist")
      .find(({ attributes }) => attributes["target_projects"] !== undefined);
    return owner !== undefined
      ? []
      : [
          {
            what: "The projects on the job token allowlist are not managed as a whole.",
            fix: "Declare a JobTokenAllowlist with targetProjects, or set allowlist.targetProjects of the ProjectSettings.",
          },
        ];
  },
});

/** Forbids invitations with an access level above a maximum, such as `AccessLevel.MAINTAINER`. */
export const invitationLevelAtMost = (level: AccessLevel): PolicyRule => ({
  name: `invitations up to level ${level}`,
  why: "Higher levels are granted by the platform's administrators, not by a pull request.",
  check: (project) =>
    eachInvitation(project, "access_level", (value) =>
      Number(value) <= level
        ? undefined
        : {
            what: `The invitation grants the level ${String(value)}.`,
            fix: `Set accessLevel to ${level} or less.`,
          },
    ),
});

/** Requires every invitation to have an expiry date. */
export const invitationsExpire = (): PolicyRule => ({
  name: "invitations expire",
  why: "Access without an expiry date is never reviewed.",
  check: (project) =>
    eachInvitation(project, "expires_at", (value) =>
      value === undefined
        ? { what: "The invitation never expires.", fix: "Set expiresAt to a date." }
        : undefined,
    ),
});

const eachInvitation = (
  project: DeclaredProject,
  attribute: string,
  judge: (value: unknown) => Violation | undefined,
): Violation[] =>
  project.ofType("steward_project_invitation").flatMap(({ construct, attributes }) => {
    const value = attributes[attribute];
    const found = isKnown(value) ? judge(value) : undecided(construct, camelCase(attribute));
    return found === undefined ? [] : [{ construct, ...found }];
  });

const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** Returns the violation for a rule that can't be checked, because an attribute is known only during apply. */
const undecided = (construct: Violation["construct"], attribute: string): Violation => ({
  construct,
  what: `${attribute} is known only after apply, so the rule can't be checked.`,
  fix: "Set a literal value.",
  isUndecided: true,
});

/** The environments that a rule checks, by name or by regular expression. The default is all environments. */
export interface EnvironmentChoice {
  readonly environment?: string | RegExp | undefined;
  /**
   * If false, Steward warns about an app that protects no environment with this name, but an environment with a similar name.
   *
   * @default false
   */
  readonly allowEmpty?: boolean | undefined;
}

/** Requires every project to protect an environment with this name. */
export const environmentProtected = (environment: string): PolicyRule => ({
  name: `${environment} protected`,
  why: "Everyone who may run a pipeline can deploy to an unprotected environment.",
  check(project) {
    const environments = project.ofType(ENVIRONMENT);
    if (environments.some(({ attributes }) => attributes["name"] === environment)) return [];
    const unknown = environments.find(({ attributes }) => !isKnown(attributes["name"]));
    if (unknown !== undefined) return [undecided(unknown.construct, "name")];
    return [
      {
        what: `The environment ${environment} is not protected.`,
        fix: `Declare a ProtectedEnvironment named ${environment}, or add it to protectedEnvironments of the ProjectSettings.`,
      },
    ];
  },
});

/**
 * Requires approvals for deployments to the chosen environments. The approvals that all rules of an environment require must add
 * up to `atLeast` or more.
 *
 * @example requiredApprovals({ environment: "production", atLeast: 2 })
 */
export const requiredApprovals = (options: EnvironmentChoice & { readonly atLeast: number }): PolicyRule => {
  refuseUnknownKeys("requiredApprovals", options, { environment: true, atLeast: true, allowEmpty: true });
  const { environment, atLeast } = options;
  return {
    ...requiredName(options),
    name: `${chosen(environment)} needs ${atLeast} ${atLeast === 1 ? "approval" : "approvals"}`,
    why: "Deployments there need a second person.",
    check: (project) =>
      eachEnvironment(project, environment, ({ construct, attributes }) => {
        const rules = elementsOf(attributes["approval_rules"]);
        const counts = rules?.map((rule) => rule["required_approvals"] ?? 1);
        if (counts === undefined || !counts.every(isKnown)) return [undecided(construct, "approvalRules")];
        const sum = counts.reduce((total: number, count) => total + Number(count), 0);
        if (sum >= atLeast) return [];
        const what = `The approval rules of ${String(attributes["name"])} require ${sum} ${sum === 1 ? "approval" : "approvals"}.`;
        return [
          { construct, what, fix: `Declare approvalRules with requiredApprovals of ${atLeast} in total.` },
        ];
      }),
  };
};

/**
 * Forbids roles below a level to deploy to the chosen environments. The rule does not limit users and groups in the deploy
 * access levels of an environment.
 *
 * @example deployersAtLeast({ environment: /^prod/, level: AccessLevel.MAINTAINER })
 */
export const deployersAtLeast = (
  options: EnvironmentChoice & { readonly level: AccessLevel },
): PolicyRule => {
  refuseUnknownKeys("deployersAtLeast", options, { environment: true, level: true, allowEmpty: true });
  const { environment, level } = options;
  return {
    ...requiredName(options),
    name: `deployers to ${chosen(environment)} from level ${level}`,
    why: "Many more people have a lower level.",
    check: (project) =>
      eachEnvironment(project, environment, ({ construct, attributes }) => {
        const elements = elementsOf(attributes["deploy_access_levels"]);
        const levels = elements?.map((element) => element["access_level"]).filter((one) => one !== undefined);
        if (levels === undefined || !levels.every(isKnown))
          return [undecided(construct, "deployAccessLevels")];
        return levels
          .filter((one) => Number(one) < level)
          .map((one) => ({
            construct,
            what: `Everyone with the level ${String(one)} can deploy to ${String(attributes["name"])}.`,
            fix: `Set accessLevel to ${level} or more, or name users and groups.`,
          }));
      }),
  };
};

const ENVIRONMENT = "steward_protected_environment";

const chosen = (environment: string | RegExp | undefined): string =>
  environment === undefined ? "every environment" : String(environment);

/**
 * Returns the `environment` property of a rule, which causes the warning about similar names. Returns an empty object for a
 * regular expression or with `allowEmpty`.
 */
const requiredName = ({
  environment,
  allowEmpty = false,
}: EnvironmentChoice): Pick<PolicyRule, "environment"> =>
  typeof environment === "string" && !allowEmpty ? { environment } : {};

const eachEnvironment = (
  project: DeclaredProject,
  choice: string | RegExp | undefined,
  judge: (environment: DeclaredResource) => Violation[],
): Violation[] =>
  project.ofType(ENVIRONMENT).flatMap((environment) => {
    const name = environment.attributes["name"];
    if (choice === undefined) return judge(environment);
    if (!isKnown(name)) return [undecided(environment.construct, "name")];
    const isChosen = typeof choice === "string" ? name === choice : choice.test(String(name));
    return isChosen ? judge(environment) : [];
  });

/** Returns the elements of a set in a declaration; undefined if the set is an expression. */
function elementsOf(set: unknown): readonly Readonly<Record<string, unknown>>[] | undefined {
  if (set === undefined) return [];
  return Array.isArray(set) && set.every((element) => typeof element === "object") ? set : undefined;
}

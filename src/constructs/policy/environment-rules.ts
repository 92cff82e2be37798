import { type DeclaredResource, isKnown } from "../declared/declared-resource";
import type { PolicyRule, Violation } from "./policy-rule";
import { undecided } from "./rules";

/** Environments that a rule is for: by name, by pattern, or all of them where nothing is said. */
export interface EnvironmentChoice {
  readonly environment?: string | RegExp | undefined;
}

/** Every project protects an environment of this name. */
export const environmentProtected = (environment: string): PolicyRule => ({
  name: `${environment} protected`,
  why: "To an environment that is not protected, everybody deploys who may run a pipeline.",
  check(project) {
    const environments = project.ofType(ENVIRONMENT);
    if (environments.some(({ attributes }) => attributes["name"] === environment)) return [];
    const unknown = environments.find(({ attributes }) => !isKnown(attributes["name"]));
    if (unknown !== undefined) return [undecided(unknown.construct, "name")];
    return [
      {
        what: `The environment ${environment} is not protected.`,
        mend: `Declare a ProtectedEnvironment named ${environment}, or add it to protectedEnvironments of the ProjectSettings.`,
      },
    ];
  },
});

/** A deployment to these environments takes so many approvals, over all rules together. */
export const requiredApprovals = ({
  environment,
  atLeast,
}: EnvironmentChoice & { readonly atLeast: number }): PolicyRule => ({
  name: `${chosen(environment)} needs ${atLeast} ${atLeast === 1 ? "approval" : "approvals"}`,
  why: "Nobody deploys there alone.",
  check: (project) =>
    eachEnvironment(project.ofType(ENVIRONMENT), environment, ({ construct, attributes }) => {
      const rules = elementsOf(attributes["approval_rules"]);
      const counts = rules?.map((rule) => rule["required_approvals"] ?? 1);
      if (counts === undefined || !counts.every(isKnown)) return [undecided(construct, "approvalRules")];
      const sum = counts.reduce((total: number, count) => total + Number(count), 0);
      if (sum >= atLeast) return [];
      const what = `The approval rules of ${String(attributes["name"])} ask for ${sum} ${sum === 1 ? "approval" : "approvals"}.`;
      return [{ construct, what, mend: `Declare approvalRules whose requiredApprovals come to ${atLeast}.` }];
    }),
});

/** Whoever deploys to these environments by their role has this level at least, such as `AccessLevel.MAINTAINER`. */
export const deployersAtLeast = ({
  environment,
  level,
}: EnvironmentChoice & { readonly level: number }): PolicyRule => ({
  name: `deployers to ${chosen(environment)} from level ${level}`,
  why: "A lower level is given to many more people.",
  check: (project) =>
    eachEnvironment(project.ofType(ENVIRONMENT), environment, ({ construct, attributes }) => {
      const elements = elementsOf(attributes["deploy_access_levels"]);
      const levels = elements?.map((element) => element["access_level"]).filter((one) => one !== undefined);
      if (levels === undefined || !levels.every(isKnown)) return [undecided(construct, "deployAccessLevels")];
      return levels
        .filter((one) => Number(one) < level)
        .map((one) => ({
          construct,
          what: `Everybody with the level ${String(one)} deploys to ${String(attributes["name"])}.`,
          mend: `Set accessLevel to ${level} or more, or name users and groups.`,
        }));
    }),
});

const ENVIRONMENT = "steward_protected_environment";

const chosen = (environment: string | RegExp | undefined): string =>
  environment === undefined ? "every environment" : String(environment);

const eachEnvironment = (
  environments: readonly DeclaredResource[],
  choice: string | RegExp | undefined,
  judge: (environment: DeclaredResource) => Violation[],
): Violation[] =>
  environments.flatMap((environment) => {
    const name = environment.attributes["name"];
    if (choice === undefined) return judge(environment);
    if (!isKnown(name)) return [undecided(environment.construct, "name")];
    const isChosen = typeof choice === "string" ? name === choice : choice.test(String(name));
    return isChosen ? judge(environment) : [];
  });

/** The elements of a set that stands in the code; nothing when it is an expression. */
function elementsOf(set: unknown): readonly Readonly<Record<string, unknown>>[] | undefined {
  if (set === undefined) return [];
  return Array.isArray(set) && set.every((element) => typeof element === "object") ? set : undefined;
}

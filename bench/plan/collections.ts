import type { FixtureInput } from "../../src/service";
import type { Resources } from "../support/estate";
import type { Step } from "./steps";

/** A collection of the API with many records. The records are declared one by one, or all in one resource. */
export interface BenchCollection {
  /** The name that selects the collection with `--collection`. */
  readonly name: string;
  readonly title: string;
  readonly fixture: (count: number) => FixtureInput;
  readonly resources: (count: number) => Resources;
  /** Returns the declarations with one changed record. */
  readonly changed: (count: number) => Resources;
  /** True if one resource declares all records. */
  readonly isOne?: boolean;
  /** Returns the maximum number of requests of a no-change plan. A collection without this function has no limits. */
  readonly most?: (count: number) => number;
  /** Returns gitlabform's configuration for each step. Undefined if gitlabform does not support the collection. */
  readonly gitlabform?: (count: number) => Readonly<Record<Step, object>>;
}

const PROJECT = "bench/crowded";
/** The number of requests that a plan may send in addition to one request for each page or record that it reads. */
const CONSTANT = 3;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const target = (index: number): string => `bench/target-${index}`;
const fewest = (count: number): number => Math.min(count, Math.ceil(count / 100)) + CONSTANT;

const group = { path: "bench" };
const project = { path: PROJECT, id: 1 };
const emptyProject = (): FixtureInput => ({ groups: [group], projects: [project] });
const withProjects = (count: number): FixtureInput => ({
  groups: [group],
  projects: [project, ...numbers(count).map((index) => ({ path: target(index), id: index + 2 }))],
});
const withGroups = (count: number): FixtureInput => ({
  groups: [group, ...numbers(count).map((index) => ({ path: target(index), id: index + 2 }))],
  projects: [project],
});

type Describe = (index: number) => object;

const builtin =
  (level: number): Describe =>
  (index) => ({ input: { name: `env-${index}`, level } });

const each = (type: string, count: number, one: Describe): Resources => ({
  [type]: Object.fromEntries(numbers(count).map((index) => [`r${index}`, one(index)])),
});
const inProject =
  (one: Describe): Describe =>
  (index) => ({ project: PROJECT, ...one(index) });
const inGroup =
  (one: Describe): Describe =>
  (index) => ({ group: group.path, ...one(index) });

/** Declares one resource for each record. For the changed plan, the first record has another value in one attribute. */
const single = (type: string, one: Describe, other: Describe) => ({
  resources: (count: number) => each(type, count, one),
  changed: (count: number) => each(type, count, (index) => (index === 0 ? other(index) : one(index))),
  most: fewest,
});

/** Declares one resource for each entry. Entries have no value to change, so the changed plan has one entry less. */
const entries = (type: string, one: Describe) => ({
  resources: (count: number) => each(type, count, one),
  changed: (count: number) => each(type, count - 1, one),
});

const environment =
  (level: number): Describe =>
  (index) => ({ name: `env-${index}`, deploy_access_levels: [{ access_level: level }] });
const rule =
  (level: string): Describe =>
  (index) => ({
    repository_path_pattern: `${PROJECT}/image-${index}`,
    minimum_access_level_for_push: level,
  });
const invitation =
  (level: number): Describe =>
  (index) => ({ email: `person-${index}@example.com`, access_level: level });

const whole = (count: number): Resources => ({
  steward_job_token_allowlist: {
    this: { project: PROJECT, target_projects: numbers(count).map(target), target_groups: [] },
  },
});

/** Returns gitlabform's configuration of the project for each step. */
const byGitlabform = (whole: object, changed: object, none: object): Readonly<Record<Step, object>> => ({
  apply: { [PROJECT]: whole },
  plan: { [PROJECT]: whole },
  change: { [PROJECT]: changed },
  destroy: { [PROJECT]: none },
});
const allowlistByGitlabform = (kind: "projects" | "groups") => (count: number) => {
  const entries = (of: number) => ({
    job_token_scope: { allowlist: { enforce: true, [kind]: numbers(of).map(target) } },
  });
  return byGitlabform(entries(count), entries(count - 1), entries(0));
};
const environmentsByGitlabform = (count: number) => {
  const environments = (of: number, first: number) => ({
    protected_environments: {
      enforce: true,
      ...Object.fromEntries(
        numbers(of).map((index) => [`env-${index}`, environment(index === 0 ? first : 40)(index)]),
      ),
    },
  });
  return byGitlabform(environments(count, 40), environments(count, 60), environments(0, 40));
};

export const COLLECTIONS: readonly BenchCollection[] = [
  {
    name: "projects",
    title: "Projects on the allowlist, a resource each, by path",
    fixture: withProjects,
    ...entries(
      "steward_job_token_allowlist_project",
      inProject((index) => ({ target_project: target(index) })),
    ),
    // The service also lists the project itself.
    most: (count) => fewest(count + 1),
  },
  {
    name: "groups",
    title: "Groups on the allowlist, a resource each, by path",
    fixture: withGroups,
    ...entries(
      "steward_job_token_allowlist_group",
      inProject((index) => ({ target_group: target(index) })),
    ),
    most: fewest,
    gitlabform: allowlistByGitlabform("groups"),
  },
  {
    name: "allowlist",
    title: "The whole allowlist as one resource, by path",
    fixture: withProjects,
    isOne: true,
    resources: whole,
    changed: (count) => whole(count - 1),
    most: (count) => fewest(count + 1),
    gitlabform: allowlistByGitlabform("projects"),
  },
  {
    name: "environments",
    title: "Protected environments",
    fixture: emptyProject,
    ...single("steward_protected_environment", inProject(environment(40)), inProject(environment(60))),
    gitlabform: environmentsByGitlabform,
  },
  {
    name: "rules",
    title: "Container protection rules",
    fixture: emptyProject,
    ...single("steward_container_protection_rule", inProject(rule("owner")), inProject(rule("maintainer"))),
    // The rules of a project are one list without pages.
    most: (count) => Math.min(count, 1) + CONSTANT,
  },
  {
    name: "project-invitations",
    title: "Invitations to a project",
    fixture: emptyProject,
    ...single("steward_project_invitation", inProject(invitation(30)), inProject(invitation(20))),
  },
  {
    name: "group-invitations",
    title: "Invitations to a group",
    fixture: emptyProject,
    ...single("steward_group_invitation", inGroup(invitation(30)), inGroup(invitation(20))),
  },
];

/** Resources that need no provider. The plans of these resources show the engine's share of the time. */
export const BUILTIN: BenchCollection = {
  name: "builtin",
  title: "As many terraform_data, without a provider",
  fixture: emptyProject,
  resources: (count) => each("terraform_data", count, builtin(40)),
  changed: (count) => each("terraform_data", count, (index) => builtin(index === 0 ? 60 : 40)(index)),
};

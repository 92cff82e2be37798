import type { FixtureInput } from "../../src/service";
import type { Resources } from "./estate";

/** One collection of the API, full of things that are declared one by one or as a whole. */
export interface BenchCollection {
  readonly name: string;
  readonly fixture: (count: number) => FixtureInput;
  readonly resources: (count: number) => Resources;
  /** The same with one thing changed. */
  readonly changed: (count: number) => Resources;
  /** Requests of a no-change plan at most. */
  readonly most: (count: number) => number;
  /** A plan that changes one thing looks at no more than so many requests above that. */
  readonly mostForChange: number;
  /** The same for gitlabform, where it has a word for it. */
  readonly gitlabform?: (count: number) => object;
}

const PROJECT = "bench/crowded";
/** What a plan may ask for besides the pages or the objects. */
const CONSTANT = 3;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const target = (index: number): string => `bench/target-${index}`;
const fewest = (count: number): number => Math.min(count, Math.ceil(count / 100)) + CONSTANT;

const emptyProject = (): FixtureInput => ({
  groups: [{ path: "bench" }],
  projects: [{ path: PROJECT, id: 1 }],
});
const withTargets = (count: number): FixtureInput => ({
  groups: [{ path: "bench" }],
  projects: [
    { path: PROJECT, id: 1 },
    ...numbers(count).map((index) => ({ path: target(index), id: index + 2 })),
  ],
});

const each = (type: string, count: number, one: (index: number) => object): Resources => ({
  [type]: Object.fromEntries(
    numbers(count).map((index) => [`r${index}`, { project: PROJECT, ...one(index) }]),
  ),
});

/** Resources that stand for one thing each, of which one has something else at one attribute. */
const single = (type: string, one: (index: number) => object, other: (index: number) => object) => ({
  resources: (count: number) => each(type, count, one),
  changed: (count: number) => each(type, count, (index) => (index === 0 ? other(index) : one(index))),
  most: fewest,
});

const environment = (level: number) => (index: number) => ({
  name: `env-${index}`,
  deploy_access_levels: [{ access_level: level }],
});
const rule = (level: string) => (index: number) => ({
  repository_path_pattern: `${PROJECT}/image-${index}`,
  minimum_access_level_for_push: level,
});
const invitation = (level: number) => (index: number) => ({
  email: `person-${index}@example.com`,
  access_level: level,
});
const whole = (targets: readonly number[]): Resources => ({
  steward_job_token_allowlist: {
    this: { project: PROJECT, target_projects: targets.map(target), target_groups: [] },
  },
});

export const COLLECTIONS: readonly BenchCollection[] = [
  {
    name: "allowlist entries, a resource each, by path",
    fixture: withTargets,
    resources: (count) =>
      each("steward_job_token_allowlist_project", count, (index) => ({ target_project: target(index) })),
    // An entry has nothing that could be changed: it goes.
    changed: (count) =>
      each("steward_job_token_allowlist_project", count - 1, (index) => ({ target_project: target(index) })),
    most: (count) => fewest(count + 1),
    mostForChange: 1,
  },
  {
    name: "the whole allowlist as one resource, by path",
    fixture: withTargets,
    resources: (count) => whole(numbers(count)),
    changed: (count) => whole(numbers(count - 1)),
    most: (count) => fewest(count + 1),
    mostForChange: 1,
    gitlabform: (count) => ({
      [PROJECT]: { job_token_scope: { allowlist: { enforce: true, projects: numbers(count).map(target) } } },
    }),
  },
  {
    name: "protected environments",
    fixture: emptyProject,
    ...single("steward_protected_environment", environment(40), environment(60)),
    mostForChange: 1,
    gitlabform: (count) => ({
      [PROJECT]: {
        protected_environments: {
          enforce: true,
          ...Object.fromEntries(numbers(count).map((index) => [`env-${index}`, environment(40)(index)])),
        },
      },
    }),
  },
  {
    name: "container protection rules",
    fixture: emptyProject,
    ...single("steward_container_protection_rule", rule("owner"), rule("maintainer")),
    // There is one list, and it has no pages.
    most: () => 1 + CONSTANT,
    mostForChange: 1,
  },
  {
    name: "invitations",
    fixture: emptyProject,
    ...single("steward_project_invitation", invitation(30), invitation(20)),
    mostForChange: 1,
  },
];

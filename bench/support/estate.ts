import type { FixtureInput } from "../../src/service";

/**
 * The number of resources in each project: 8 allowlist entries, 6 protected environments, 5 container rules and 1 job
 * token scope.
 */
export const RESOURCES_A_PROJECT = 20;
const ENTRIES = 8;
const ENVIRONMENTS = 6;
const RULES = 5;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const projectPath = (index: number): string => `estate/service-${index}`;

/** Returns a company with this number of projects and without settings. */
export const estateFixture = (projects: number): FixtureInput => ({
  groups: [{ path: "estate" }],
  projects: numbers(projects).map((index) => ({ path: projectPath(index), id: index + 1 })),
});

/**
 * Returns the company of `estateFixture` with all objects of `estateResources`. A bench uses this fixture because
 * creating the objects one by one takes long.
 */
export const configuredEstateFixture = (projects: number): FixtureInput => ({
  groups: [{ path: "estate" }],
  projects: numbers(projects).map((index) => ({
    path: projectPath(index),
    id: index + 1,
    job_token_scope: {
      inbound_enabled: true,
      projects: numbers(ENTRIES).map((number) => projectPath((index + number + 1) % projects)),
    },
    protected_environments: numbers(ENVIRONMENTS).map((number) => ({
      name: `env-${number}`,
      deploy_access_levels: [{ access_level: 40 }],
    })),
    container_rules: numbers(RULES).map((number) => ({
      repository_path_pattern: `${projectPath(index)}/image-${number}`,
      minimum_access_level_for_push: "owner",
    })),
  })),
});

/** The attributes of resources, by type and name. */
export type Resources = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** Returns the declarations of the company's objects. All declarations refer to projects by path. */
export function estateResources(projects: number): Resources {
  const all: Record<string, Record<string, object>> = {
    steward_job_token_scope: {},
    steward_job_token_allowlist_project: {},
    steward_protected_environment: {},
    steward_container_protection_rule: {},
  };
  for (const index of numbers(projects)) {
    const project = projectPath(index);
    all["steward_job_token_scope"]![`p${index}`] = { project, inbound_enabled: true };
    for (const number of numbers(ENTRIES))
      all["steward_job_token_allowlist_project"]![`p${index}_${number}`] = {
        project,
        target_project: projectPath((index + number + 1) % projects),
      };
    for (const number of numbers(ENVIRONMENTS))
      all["steward_protected_environment"]![`p${index}_${number}`] = {
        project,
        name: `env-${number}`,
        deploy_access_levels: [{ access_level: 40 }],
      };
    for (const number of numbers(RULES))
      all["steward_container_protection_rule"]![`p${index}_${number}`] = {
        project,
        repository_path_pattern: `${project}/image-${number}`,
        minimum_access_level_for_push: "owner",
      };
  }
  return all;
}

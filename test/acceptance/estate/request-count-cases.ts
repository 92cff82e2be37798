import type { FixtureInput, Service } from "cdktf-provider-steward/testing";
import { runs } from "../../support/capabilities";
import { numbers, type Resources } from "./support";

// What a plan of each resource asks for, through whole engines, counted at the service.

export const MANY = runs(110, 250);
export const COUNTS = [1, 2, 100, MANY];
/** Of what each project has once: the price is the same for each. */
const FEW = [10, 30];
/** Where things are declared. */
interface Place {
  readonly project: string;
  readonly group: string;
}
export const EMBEDDED: Place = { project: "estate/shop", group: "estate" };
export const TERRAFORM: Place = { project: "estate/docs", group: "platform" };

/** Of the project that holds what Terraform plans. */
export const DOCS = 7000;

const target = (index: number): string => `estate/target-${index}`;
const team = (index: number): string => `team-${index}`;

export const fixture: FixtureInput = {
  groups: [
    { path: "estate" },
    { path: "platform" },
    ...numbers(MANY).map((index) => ({ path: team(index) })),
  ],
  projects: [
    { path: "estate/shop" },
    { path: "estate/docs", id: DOCS },
    ...numbers(MANY).map((index) => ({ path: target(index) })),
  ],
};

interface Case {
  readonly declare: (index: number, place: Place) => object;
  /** Requests of a no-change plan: where the API has pages, a hundred on each. */
  readonly requests: (count: number) => number;
  readonly counts?: readonly number[];
  /** The requests under Terraform, by their endpoint. */
  readonly underTerraform: Readonly<Record<string, number>>;
}

const pages = (count: number): number => Math.ceil(count / 100);
/** Where the API has a request for one as well. */
const inPages = { requests: pages };
/**
 * Terraform doesn't say how many there will be: the first is asked for alone, and two pages are read at once; of more,
 * the first page tells that as many as there are pages are asked for alone before they are read.
 */
const SINGLES = pages(MANY) <= 2 ? 1 : pages(MANY);
const PAGES = pages(MANY) <= 2 ? pages(MANY) : 1 + pages(MANY);

/** Under Terraform what each project has once is planned of so many. */
export const PROJECTS = 5;

export const CASES: Readonly<Record<string, Case>> = {
  steward_protected_environment: {
    declare: (index, { project }) => ({
      project,
      name: `env-${index}`,
      deploy_access_levels: [{ access_level: 40 }],
    }),
    ...inPages,
    underTerraform: {
      "/projects/:id/protected_environments/:name": SINGLES,
      "/projects/:id/protected_environments": PAGES,
    },
  },
  steward_project_invitation: {
    declare: (index, { project }) => ({ project, email: `person-${index}@example.com`, access_level: 30 }),
    ...inPages,
    underTerraform: {
      "/projects/:id/invitations of one": SINGLES,
      "/projects/:id/invitations": PAGES,
    },
  },
  steward_group_invitation: {
    declare: (index, { group }) => ({ group, email: `guest-${index}@example.com`, access_level: 30 }),
    ...inPages,
    underTerraform: { "/groups/:id/invitations of one": SINGLES, "/groups/:id/invitations": PAGES },
  },
  steward_job_token_allowlist_project: {
    declare: (index, { project }) => ({ project, target_project: target(index) }),
    // The project itself is on the list.
    requests: (count) => pages(count + 1),
    underTerraform: { "/projects/:id/job_token_scope/allowlist": pages(MANY + 1) },
  },
  steward_job_token_allowlist_group: {
    declare: (index, { project }) => ({ project, target_group: team(index) }),
    requests: pages,
    underTerraform: { "/projects/:id/job_token_scope/groups_allowlist": pages(MANY) },
  },
  steward_container_protection_rule: {
    declare: (index, { project }) => ({
      project,
      repository_path_pattern: `${project}/image-${index}`,
      minimum_access_level_for_push: "owner",
    }),
    // One list without pages.
    requests: () => 1,
    underTerraform: { "/projects/:id/registry/protection/repository/rules": 1 },
  },
  // What each project has once is a request a project.
  steward_job_token_scope: {
    declare: (index) => ({ project: target(index), inbound_enabled: true }),
    requests: (count) => count,
    underTerraform: { "/projects/:id/job_token_scope": PROJECTS },
    counts: FEW,
  },
  steward_pages_settings: {
    declare: (index) => ({ project: target(index), force_https: true }),
    requests: (count) => count,
    underTerraform: { "/projects/:id/pages": PROJECTS },
    counts: FEW,
  },
  steward_job_token_allowlist: {
    declare: (index) => ({ project: target(index), target_projects: [], target_groups: [] }),
    // A list of projects and one of groups.
    requests: (count) => 2 * count,
    underTerraform: {
      "/projects/:id/job_token_scope/allowlist of a target": PROJECTS,
      "/projects/:id/job_token_scope/groups_allowlist of a target": PROJECTS,
    },
    counts: FEW,
  },
};

export const declared = (type: string, count: number, place: Place): Resources => ({
  [type]: Object.fromEntries(
    numbers(count).map((index) => [`r${index}`, CASES[type]!.declare(index, place)]),
  ),
});

/** Of each of two projects thirty entries, of the same projects. */
export const entriesOfTwo = (first: number): Resources => ({
  steward_job_token_allowlist_project: Object.fromEntries(
    [first, first + 1].flatMap((from) =>
      numbers(30).map((index) => [
        `r${from}_${index}`,
        { project: target(from), target_project: target(index) },
      ]),
    ),
  ),
});

/** The projects that were looked up by path since the requests were last forgotten. */
export function expectLookedUpOnce({ requests }: Service, count: number): void {
  const asked = requests.all.filter(({ route }) => route === "/projects/:id").map(({ url }) => url);
  expect(asked).toHaveLength(count);
  expect(new Set(asked).size).toBe(count);
}

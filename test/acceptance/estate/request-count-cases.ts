import type { FixtureInput, Service } from "cdktf-provider-steward/testing";
import { CROWD } from "../../../src/provider/samples/company";
import { containerOf, ENTRIES, ONE_EACH } from "../../provider/samples";
import { crowdOfGroups, crowdOfProjects } from "../../provider/support/crowd";
import { runs } from "../../support/capabilities";
import { numbers, type Resources } from "./support";

// What a plan of each resource asks for, through whole engines, counted at the service.

/** One more than a page holds. */
export const MANY = runs(101, 250);
export const COUNTS = runs<readonly number[]>([1, 2, MANY], [1, 2, 100, MANY]);
/** Of what each project has once: the price is the same for each. */
const FEW = [10, 12];
/** Where things are declared. */
interface Place {
  readonly project: string;
  readonly group: string;
}
export const EMBEDDED: Place = { project: "estate/shop", group: "estate" };
export const TERRAFORM: Place = { project: "estate/docs", group: "platform" };

/** Of the project that holds what Terraform plans. */
const DOCS = 7000;

export const fixture: FixtureInput = {
  groups: [{ path: "acme" }, { path: "estate" }, { path: "platform" }, ...crowdOfGroups(MANY)],
  projects: [{ path: "estate/shop" }, { path: "estate/docs", id: DOCS }, ...crowdOfProjects(MANY)],
};

interface Case {
  readonly declare: (index: number, place: Place) => object;
  /** Requests of a no-change plan: where the API has pages, a hundred on each. */
  readonly requests: (count: number) => number;
  readonly counts?: readonly number[];
  /** The requests under Terraform, by their endpoint. */
  readonly underTerraform: Readonly<Record<string, number>>;
}

/** Under Terraform what each project has once is planned of so many. */
export const PROJECTS = 5;

const ofEntries = ([type, entries]: (typeof ENTRIES)[number]): Case => {
  const kind = containerOf(type);
  const pages = entries.pages(MANY);
  // Terraform doesn't say how many there will be: the first is asked for alone, and two pages are read at once; of more,
  // the first page tells that as many as there are pages are asked for alone before they are read.
  const singles = pages <= 2 ? 1 : pages;
  return {
    declare: (index, place) => ({ [kind]: place[kind], ...entries.config(index) }),
    requests: entries.pages,
    underTerraform: {
      [`/${kind}s/:id/${entries.list}`]: entries.single === undefined || pages <= 2 ? pages : 1 + pages,
      ...(entries.single !== undefined && { [`/${kind}s/:id/${entries.single}`]: singles }),
    },
  };
};

const ofOneEach = ([, { config, reads }]: (typeof ONE_EACH)[number]): Case => ({
  declare: (index) => ({ project: CROWD.project(index).path, ...config }),
  requests: (count) => reads.length * count,
  underTerraform: Object.fromEntries(reads.map((read) => [`/projects/:id/${read} of a target`, PROJECTS])),
  counts: FEW,
});

export const CASES: Readonly<Record<string, Case>> = Object.fromEntries([
  ...ENTRIES.map((one) => [one[0], ofEntries(one)] as const),
  ...ONE_EACH.map((one) => [one[0], ofOneEach(one)] as const),
]);

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
        { project: CROWD.project(from).path, target_project: CROWD.project(index).path },
      ]),
    ),
  ),
});

/** The requests that looked up projects by path since the requests were last forgotten: none twice. */
export function lookUps({ requests }: Service): string[] {
  const routes = ["/projects/:id", "/groups/:id/projects"];
  const asked = requests.all.filter(({ route }) => routes.includes(route!)).map(({ url }) => url);
  expect(new Set(asked).size).toBe(asked.length);
  return asked;
}

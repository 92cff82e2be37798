import { copyFileSync } from "node:fs";
import path from "node:path";
import { type FixtureInput, type Service, startService } from "cdktf-provider-steward/testing";
import { CROWD } from "../../../src/provider/samples/company";
import { makeMirror, type PluginMirror } from "../../plugin/support/plugin-mirror";
import { Workspace } from "../../plugin/support/workspace";
import { containerOf, ENTRIES, ONE_EACH } from "../../provider/samples";
import { crowdOfGroups, crowdOfProjects } from "../../provider/support/crowd";
import { describeWith, runs } from "../../support/capabilities";
import { EstateStack, numbers, type Resources } from "./support";

// What a plan of Terraform asks for, of every resource. The table for hosts that say how many objects they want, and for
// those that don't, is test/provider/request-counts.test.ts; the embedded engine is one of the first.

/** One more than a page holds. */
const MANY = runs(101, 250);
/** Of what each project has once as many are planned. */
const PROJECTS = 5;
/** Of the project that holds what is planned. */
const DOCS = 7000;

const fixture: FixtureInput = {
  groups: [{ path: "acme" }, { path: "estate" }, { path: "platform" }, ...crowdOfGroups(MANY)],
  projects: [{ path: "estate/docs", id: DOCS }, ...crowdOfProjects(MANY)],
};

interface Case {
  readonly type: string;
  readonly count: number;
  readonly declare: (index: number) => object;
  /** The requests of a no-change plan, by their endpoint. */
  readonly requests: Readonly<Record<string, number>>;
}

const ofEntries = ([type, entries]: (typeof ENTRIES)[number]): Case => {
  const kind = containerOf(type);
  const pages = entries.pages(MANY);
  // Terraform doesn't say how many there will be: the first is asked for alone, and two pages are read at once; of more,
  // the first page tells that as many as there are pages are asked for alone before they are read.
  const singles = pages <= 2 ? 1 : pages;
  const place = { project: "estate/docs", group: "platform" }[kind];
  return {
    type,
    count: MANY,
    declare: (index) => ({ [kind]: place, ...entries.config(index) }),
    requests: {
      [`/${kind}s/:id/${entries.list}`]: entries.single === undefined || pages <= 2 ? pages : 1 + pages,
      ...(entries.single !== undefined && { [`/${kind}s/:id/${entries.single}`]: singles }),
    },
  };
};

const ofOneEach = ([type, { config, reads }]: (typeof ONE_EACH)[number]): Case => ({
  type,
  count: PROJECTS,
  declare: (index) => ({ project: CROWD.project(index).path, ...config }),
  requests: Object.fromEntries(reads.map((read) => [`/projects/:id/${read} of a target`, PROJECTS])),
});

const CASES = [...ENTRIES.map(ofEntries), ...ONE_EACH.map(ofOneEach)];

const declared = ({ type, count, declare }: Case): Resources => ({
  [type]: Object.fromEntries(numbers(count).map((index) => [`r${index}`, declare(index)])),
});

/** Of each of two projects thirty entries, of the same projects. */
const ENTRIES_OF_TWO: Resources = {
  steward_job_token_allowlist_project: Object.fromEntries(
    [MANY - 2, MANY - 1].flatMap((from) =>
      numbers(30).map((index) => [
        `r${from}_${index}`,
        { project: CROWD.project(from).path, target_project: CROWD.project(index).path },
      ]),
    ),
  ),
};

/** The requests that looked up projects by path since the requests were last forgotten: none twice. */
function lookUps({ requests }: Service): string[] {
  const routes = ["/projects/:id", "/groups/:id/projects"];
  const asked = requests.all.filter(({ route }) => routes.includes(route!)).map(({ url }) => url);
  expect(new Set(asked).size).toBe(asked.length);
  return asked;
}

const CROWDED = crowdOfProjects(MANY);
let service: Service;
beforeAll(async () => {
  service = await startService({ fixture, recordRequests: true });
});
afterAll(() => service.close());

describeWith("engine", "under Terraform", (engine) => {
  jest.setTimeout(120_000);
  let mirror: PluginMirror;
  let workspace: Workspace;
  beforeAll(async () => {
    mirror = await makeMirror();
    workspace = new Workspace(engine, {
      TF_CLI_CONFIG_FILE: mirror.configuration,
      STEWARD_BASE_URL: service.url,
      STEWARD_TOKEN: service.adminToken,
    });
    await workspace.succeed("init");
  });
  afterAll(() => {
    workspace.remove();
    mirror.remove();
  });
  const declare = (resource: Resources) => workspace.write("main.tf.json", JSON.stringify({ resource }));

  test("each run looks projects up by path in the pages of their group", async () => {
    declare(ENTRIES_OF_TWO);
    const steps = [
      // Two pages, and at most three paths alone before them, where Terraform asks for few at first.
      [["plan", "-out=planned"], 5],
      // Another process, which Terraform has plan each object again.
      [["apply", "planned"], 5],
      // Each run looks the paths up again and compares their ids with the applied ids.
      [["plan"], 5],
    ] as const;
    for (const [words, most] of steps) {
      service.requests.reset();
      await workspace.succeed(...words);
      expect(lookUps(service).length).toBeLessThanOrEqual(most);
    }
  });

  /**
   * The most requests that compare what each path means now: one for each container. The engine decides how many
   * objects arrive at once, so the pages of the group's list may take the place of single reads.
   */
  const MOST_COMPARED_PATHS = 7;
  const OF_COMPARED_PATHS = ["/groups/:id", "/groups/:id/projects", "/projects/:id"];

  test("a no-change plan: one object of a list alone where it can be, and from the second on its pages", async () => {
    const stack = new EstateStack(service);
    const resource: Resources = Object.assign({}, ...CASES.map(declared));
    try {
      stack.declare(resource);
      await stack.apply();
      // What one engine wrote the other takes over.
      copyFileSync(stack.stateFile, path.join(workspace.folder, "terraform.tfstate"));
      declare(resource);
      service.requests.reset();
      expect((await workspace.plan()).changes).toBe(false);
      const isOfComparedPath = (route: string | undefined) => OF_COMPARED_PATHS.includes(route!);
      const compared = service.requests.all.filter(({ route }) => isOfComparedPath(route));
      expect(compared.length).toBeLessThanOrEqual(MOST_COMPARED_PATHS);
      expect(lookUps(service).length).toBeGreaterThan(0);
      const asked: Record<string, number> = {};
      for (const { route, url } of service.requests.all) {
        if (isOfComparedPath(route)) continue;
        const isOfTarget = CROWDED.some(({ id }) => url.includes(`/projects/${id}/`));
        const name = `${route}${url.includes("query=") ? " of one" : ""}${isOfTarget ? " of a target" : ""}`;
        asked[name] = (asked[name] ?? 0) + 1;
      }
      expect(asked).toEqual(Object.assign({}, ...CASES.map(({ requests }) => requests)));
    } finally {
      stack.remove();
    }
  });
});

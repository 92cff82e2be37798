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

// The tests count the requests of a plan that Terraform makes, for every resource. For other hosts, such as the embedded
// engine, see test/provider/request-counts.test.ts.

/** The number of objects. The objects do not fit on one page of a list. */
const MANY = runs(101, 250);
/** The number of projects in the cases that test a setting which each project has only once. */
const PROJECTS = 5;
/** The numeric id of the project that contains the planned objects. */
const DOCS = 7000;

const fixture: FixtureInput = {
  groups: [{ path: "acme" }, { path: "estate" }, { path: "platform" }, ...crowdOfGroups(MANY)],
  projects: [{ path: "estate/docs", id: DOCS }, ...crowdOfProjects(MANY)],
};

interface Case {
  readonly type: string;
  readonly count: number;
  readonly declare: (index: number) => object;
  /** The number of requests of a plan without changes, by endpoint. */
  readonly requests: Readonly<Record<string, number>>;
}

const ofEntries = ([type, entries]: (typeof ENTRIES)[number]): Case => {
  const kind = containerOf(type);
  const pages = entries.pages(MANY);
  // The provider does not know in advance how many objects Terraform will read. The provider first requests a single
  // object, and then two pages of the list. If the first page shows that there are more pages, the provider requests as
  // many single objects as there are pages. After that, it requests the whole list.
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

/** Two projects with thirty allowlist entries each. The entries of both projects have the same targets. */
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

/** Returns the project look-ups by path since the last reset. Fails if the same look-up was sent twice. */
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

  test("each run of Terraform finds the ids of all project paths with at most five requests", async () => {
    declare(ENTRIES_OF_TWO);
    const steps = [
      // If Terraform starts with few reads, the provider looks up at most three paths one by one. The provider then reads
      // the two pages of the group's projects.
      [["plan", "-out=planned"], 5],
      // The apply is a new process, in which Terraform plans each object again.
      [["apply", "planned"], 5],
      // A later run looks up the paths again, and compares their ids with the ids from the apply.
      [["plan"], 5],
    ] as const;
    for (const [words, most] of steps) {
      service.requests.reset();
      await workspace.succeed(...words);
      expect(lookUps(service).length).toBeLessThanOrEqual(most);
    }
  });

  /**
   * The maximum number of requests that read the current ids of paths: one request for each project and group. If the
   * provider gets many objects at the same time, it reads pages of the group's projects instead of some single paths.
   */
  const MOST_COMPARED_PATHS = 7;
  const OF_COMPARED_PATHS = ["/groups/:id", "/groups/:id/projects", "/projects/:id"];

  test("a Terraform plan without changes sends the expected number of requests to each endpoint", async () => {
    const stack = new EstateStack(service);
    const resource: Resources = Object.assign({}, ...CASES.map(declared));
    try {
      stack.declare(resource);
      await stack.apply();
      // The real engine continues with the state of the embedded engine.
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

import { openPlace, type Place } from "../support/place";

// In these tests, a person adds an entry to a list while an apply runs. The plan that people saw did not contain this
// entry, so the apply must not remove the entry.

const terraform = {
  required_providers: { steward: { source: "registry.steward.example/steward/steward" } },
};
const allowlist = (project: string, targets: readonly string[], more: object = {}) => ({
  project,
  target_projects: targets,
  ...more,
});

describe("an entry that appears during a run with --max-deletes 0", () => {
  let place: Place;
  beforeEach(async () => {
    const projects = ["acme/one", "acme/two", "acme/first", "acme/second", "acme/by-hand"];
    place = await openPlace({
      users: [{ username: "root", token: "admin-token", admin: true }],
      groups: [{ path: "acme" }],
      projects: projects.map((path) => ({ path })),
    });
  });
  afterEach(() => place.close());

  const env = { STEWARD_TOKEN: "admin-token" };
  const write = (targets: readonly string[]) =>
    place.write("main.tf.json", {
      terraform,
      resource: {
        steward_job_token_allowlist: {
          one: allowlist("acme/one", targets),
          two: allowlist("acme/two", targets, { depends_on: ["steward_job_token_allowlist.one"] }),
        },
      },
    });
  const apply = (...more: readonly string[]) =>
    place.run(["apply", "--config", ".", "--auto-approve", "--max-deletes", "0", ...more], env);
  /** Adds an entry to the second list, as soon as the run sends its first change. */
  function addDuringRun(): void {
    const { requests } = place.service;
    const record = requests.record.bind(requests);
    let isAdded = false;
    requests.record = (request) => {
      record(request);
      if (request.method === "GET" || isAdded) return;
      isAdded = true;
      added = place.byHand(
        "POST",
        "/projects/2/job_token_scope/allowlist",
        { target_project_id: 5 },
        "admin-token",
      );
    };
  }
  let added: Promise<unknown>;
  const live = async (): Promise<number[]> => {
    const url = `${place.service.url}/api/v4/projects/2/job_token_scope/allowlist`;
    const response = await fetch(url, { headers: { "private-token": "admin-token" } });
    return ((await response.json()) as { readonly id: number }[]).map(({ id }) => id);
  };

  test.each<[string, readonly string[], readonly string[] | undefined]>([
    ["an update", [], ["acme/first"]],
    ["an update in waves", ["--wave", "1"], ["acme/first"]],
    ["a create", [], undefined],
    ["a create in waves", ["--wave", "1"], undefined],
  ])(
    "with --max-deletes 0, %s keeps an allowlist entry that appears during the run",
    async (_what, options, before) => {
      if (before !== undefined) {
        write(before);
        expect(await apply()).toMatchObject({ code: 0 });
      }
      write(["acme/first", "acme/second"]);
      addDuringRun();
      const ended = await apply(...options);
      await added;
      expect(await live()).toContain(5);
      expect(ended.err + ended.out).toMatch(
        /entry_not_planned|Entries are kept|Wave differs from the approved plan/,
      );
    },
  );
});

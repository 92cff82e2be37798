import { type Place, TOKENS, usePlace } from "../support/place";

// A list that moves to another project is replaced: the apply deletes the list of the old project. The tests check that an
// entry stays if another declaration owns it.

const PROJECTS = ["a", "b", "c", "tools"].map((name) => ({ path: `acme/${name}`, topics: ["service"] }));
const place: Place = usePlace("each", {
  users: [{ username: "maya", token: TOKENS.maintainer }],
  groups: [{ path: "acme", members: [{ user: "maya", role: "maintainer" }] }],
  projects: PROJECTS.map((one) => (one.path === "acme/tools" ? { ...one, topics: [] } : one)),
});

const EACH = {
  for_each: "${{ for p in data.steward_projects.listed.projects : p.full_path => p }}",
  project: "${each.value.id}",
};
const LIST = { target_projects: ["acme/tools"] };
const ENTRY = { target_project: "acme/tools" };
const SINGLE = { ...ENTRY, project: "acme/a" };

const declare = (list: object, entry?: object): void => {
  place.write("main.tf.json", {
    terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
    provider: { steward: [{}] },
    data: { steward_projects: { listed: { group: "acme", topic: "service" } } },
    resource: {
      steward_job_token_allowlist: { list: { ...LIST, ...list } },
      ...(entry && { steward_job_token_allowlist_project: { entry } }),
    },
  });
};

/** Applies, and returns the exit code, the deleted objects and the output. */
async function apply(...words: readonly string[]) {
  const before = place.service.requests.all.length;
  const { code, out, err } = await place.run(["apply", "--auto-approve", "--config", ".", ...words]);
  const deletes = place.service.requests.all.slice(before).filter(({ method }) => method === "DELETE");
  return { code, deletes: deletes.map(({ url }) => url.replace("/api/v4", "")), text: `${out}${err}` };
}

const TARGET = ["--target", "steward_job_token_allowlist.list"];
const NOTHING = { code: 1, deletes: [] };

test.each([
  ["a declaration of one entry", { project: "acme/a" }, SINGLE],
  ["a declaration for each project of a list", { project: "acme/a" }, { ...EACH, ...ENTRY }],
  ["a declaration for each project, next to lists that leave", EACH, { ...EACH, ...ENTRY }],
])(
  "apply fails if --target leaves out a declaration that takes over an entry of an old list: %s",
  async (_, before, entry) => {
    declare(before);
    expect(await apply()).toMatchObject({ code: 0 });
    declare({ project: "acme/tools", target_projects: ["acme/a"] }, entry);
    const refused = await apply(...TARGET);
    expect(refused).toMatchObject(NOTHING);
    expect(refused.text).toContain("New owner of an object is not targeted");
    expect(await apply()).toMatchObject({ code: 0, deletes: [] });
    expect((await place.run(["plan", "--detailed-exitcode", "--config", "."])).code).toBe(0);
  },
);

test("if the new declaration of an allowlist's entry can't be planned, apply does not delete the entry", async () => {
  declare({ project: "acme/a" });
  expect(await apply()).toMatchObject({ code: 0 });
  declare({ project: "acme/b" }, SINGLE);
  place.service.faults.add({
    ...{
      method: "GET",
      route: "/projects/:id/job_token_scope/allowlist",
      status: 403,
      always: true,
      skip: 1,
    },
  });
  expect(await apply()).toMatchObject(NOTHING);
  place.service.faults.clear();
  expect(await apply()).toMatchObject({ code: 0, deletes: [] });
});

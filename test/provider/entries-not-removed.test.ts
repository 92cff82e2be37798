import { HttpProxy } from "../support/http-proxy";
import { Host } from "./support/host";
import { FIXTURE, PROJECT, providerConfig, TOKEN, useWorld } from "./support/world";

// The live platform finds the project that an entry names before it removes the entry: a 404 is no sign that the entry is
// gone, and a 400 that it "is not in the job token scope" is one.

const SECRET = 901;
const world = useWorld(
  {
    ...FIXTURE,
    groups: [
      ...FIXTURE.groups!,
      { path: "secret", id: 900, visibility: "private", members: [{ user: "oskar", role: "owner" }] },
    ],
    projects: [...FIXTURE.projects!, { path: "secret/vault", id: SECRET, visibility: "private" }],
  },
  undefined,
  "observed",
);
const list = `/projects/${PROJECT.web}/job_token_scope/allowlist`;
const listed = async () =>
  ((await world().http("GET", list)) as { id: number }[])
    .map(({ id }) => id)
    .filter((id) => id !== PROJECT.web);

describe("an entry of a project that the token can't find", () => {
  const type = "steward_job_token_allowlist_project";
  const owner = () => new Host(world(), type, TOKEN.owner);
  const maintainer = () => new Host(world(), type, TOKEN.maintainer);
  const applied = () => owner().bring(undefined, { project: "acme/web", target_project: "secret/vault" });

  test("stays listed: the apply names it and keeps it in the state, where it was dropped as gone", async () => {
    const state = await applied();
    const answer = await maintainer().destroy(state);
    expect(answer.diagnostics).toMatchObject([{ severity: "error", code: "entry_not_removed" }]);
    expect(answer.diagnostics[0]!.detail).toContain(`the project secret/vault (${SECRET})`);
    expect(answer.state!.attributes).toEqual(state.attributes);
    expect(await listed()).toEqual([SECRET]);
  });

  test("the next plan warns of an entry that could not be removed, and asks for no more than before", async () => {
    const { state } = await maintainer().destroy(await applied());
    world().service.requests.reset();
    const run = maintainer().connect();
    const live = await maintainer().refresh(state!, run);
    const { diagnostics } = await run.planDestroy({ type, prior: live! });
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "entry_not_removed" }]);
    expect(diagnostics[0]!.detail).toContain(`the project secret/vault (${SECRET})`);
    // The list, and whether the project is archived.
    expect(world().service.requests.all.map(({ route }) => route)).toEqual([
      "/projects/:id/job_token_scope/allowlist",
      "/projects/:id",
    ]);
  });

  test("an entry is removed with a token that finds it, and then nothing is left to warn of", async () => {
    const { state } = await maintainer().destroy(await applied());
    expect(await owner().destroy(state!)).toEqual({ diagnostics: [] });
    expect(await listed()).toEqual([]);
  });
});

describe.each([
  ["project", "steward_job_token_allowlist_project", "acme/tools", "allowlist", PROJECT.tools],
  ["group", "steward_job_token_allowlist_group", "acme/platform", "groups_allowlist", 12],
] as const)("an entry of a %s that is gone", (kind, type, target, name, id) => {
  test("an entry is removed, as the 400 that it is not in the job token scope means", async () => {
    const host = new Host(world(), type);
    const state = await host.bring(undefined, { project: "acme/web", [`target_${kind}`]: target });
    await world().http("DELETE", `/projects/${PROJECT.web}/job_token_scope/${name}/${id}`);
    world().service.requests.reset();
    expect(await host.destroy(state)).toEqual({ diagnostics: [] });
    expect(world().service.requests.all[0]).toMatchObject({ method: "DELETE", status: 400 });
  });
});

describe("a whole allowlist", () => {
  const type = "steward_job_token_allowlist";
  const owner = () => new Host(world(), type, TOKEN.owner);
  const maintainer = () => new Host(world(), type, TOKEN.maintainer);
  const declared = (...target_projects: string[]) => ({
    project: "acme/web",
    target_projects,
    target_groups: ["acme/platform"],
  });
  const applied = () => owner().bring(undefined, declared("acme/tools", "secret/vault"));

  test("an update that can't remove an entry of an allowlist fails with its name, and the next plan warns of it", async () => {
    const state = await applied();
    const config = declared("acme/tools");
    const { state: left, diagnostics } = await maintainer().apply(await maintainer().plan(state, config));
    expect(diagnostics).toMatchObject([
      { severity: "error", code: "entry_not_removed", attribute: ["target_projects"] },
    ]);
    expect(diagnostics[0]!.detail).toContain(`the project secret/vault (${SECRET})`);
    expect(left!.attributes["target_projects"]).toEqual(["acme/tools", "secret/vault"]);
    const run = maintainer().connect();
    const again = await maintainer().plan(await maintainer().refresh(left!, run), config, run);
    expect(again.diagnostics).toMatchObject([{ severity: "warning", code: "entry_not_removed" }]);
    expect(again.changed).toEqual(["target_projects"]);
    // What stays declared is nothing to warn of.
    const kept = await maintainer().plan(left, declared("acme/tools", "secret/vault"));
    expect(kept).toMatchObject({ action: "none", diagnostics: [] });
    const mended = await owner().bring(left, config);
    expect((await owner().plan(mended, declared())).diagnostics).toEqual([]);
  });

  test("a destroy that can't remove an entry of an allowlist keeps what is left, where it reported success", async () => {
    const state = await applied();
    const { state: left, diagnostics } = await maintainer().destroy(state);
    expect(diagnostics).toMatchObject([{ severity: "error", code: "entry_not_removed" }]);
    expect(left!.attributes).toMatchObject({ target_projects: ["secret/vault"], target_groups: [] });
    expect(await listed()).toEqual([SECRET]);
  });

  test("counts entries that somebody else removed meanwhile as removed", async () => {
    const state = await owner().bring(undefined, declared("acme/tools", "acme/docs"));
    const plan = await owner().plan(state, declared());
    // Between the observation and the removal: the DELETE is sent twice.
    const proxy = new HttpProxy(world().service.url, async (passage) => {
      if (passage.method === "DELETE") await passage.forward();
      passage.answer(await passage.forward());
    });
    const base_url = await proxy.start();
    try {
      const run = world().provider.configure(
        providerConfig(world().provider, { base_url, token: TOKEN.owner }),
        {},
      ).provider!;
      const { state: emptied, diagnostics } = await owner().apply(plan, run);
      expect(diagnostics).toEqual([]);
      expect(emptied!.attributes["target_projects"]).toEqual([]);
      await run.close();
    } finally {
      proxy.close();
    }
  });
});

describe("an entry that is hidden with its project, as the specification's service does it", () => {
  const type = "steward_job_token_allowlist_project";
  const strict = useWorld({
    ...FIXTURE,
    groups: [
      ...FIXTURE.groups!,
      { path: "secret", id: 900, visibility: "private", members: [{ user: "oskar", role: "owner" }] },
    ],
    projects: [...FIXTURE.projects!, { path: "secret/vault", id: SECRET, visibility: "private" }],
  });

  test("a hidden entry is taken for gone after the 404, with a warning that it may be hidden", async () => {
    const state = await new Host(strict(), type, TOKEN.owner).bring(undefined, {
      project: "acme/web",
      target_project: "secret/vault",
    });
    const { state: left, diagnostics } = await new Host(strict(), type, TOKEN.maintainer).destroy(state);
    expect(left).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "entry_not_removed" }]);
    expect(diagnostics[0]!.detail).toContain(`the project ${SECRET}`);
  });
});

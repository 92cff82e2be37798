import { existsSync } from "node:fs";
import path from "node:path";
import { openPlace, type Place } from "../../cli/support/place";
import { KillingProxy } from "./proxy";

// Each test starts processes; a loaded machine takes its time.
const PROJECTS = ["shop", "tools", "docs"];
/** In each project a protected environment, and settings that wait for it. */
const CONFIGURATION = {
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
  resource: {
    steward_protected_environment: Object.fromEntries(
      PROJECTS.map((name) => [
        name,
        { project: `acme/${name}`, name: "live", deploy_access_levels: [{ access_level: 40 }] },
      ]),
    ),
    steward_job_token_scope: Object.fromEntries(
      PROJECTS.map((name) => [
        name,
        {
          project: `acme/${name}`,
          inbound_enabled: true,
          depends_on: [`steward_protected_environment.${name}`],
        },
      ]),
    ),
  },
};

let place: Place;
let proxy: KillingProxy;
let env: Record<string, string>;
beforeEach(async () => {
  place = await openPlace();
  place.write("main.tf.json", CONFIGURATION);
  proxy = new KillingProxy(place.service.url);
  env = { STEWARD_BASE_URL: await proxy.start() };
});
afterEach(async () => {
  proxy.close();
  await place.close();
});

const apply = () => {
  proxy.begin();
  return place.run(["apply", "--auto-approve", "--config", "."], env);
};
const managed = () =>
  (JSON.parse(place.read("terraform.tfstate")) as { resources: { type: string; name: string }[] }).resources
    .map(({ type, name }) => `${type}.${name}`)
    .sort();

test.each(["403", "503"] as const)(
  "one project that answers %s after a kill: it waits, all other projects are settled and applied",
  async (fault) => {
    const run = place.start(["apply", "--auto-approve", "--config", "."], env);
    const kill = { at: 1, moment: "between send and answer" } as const;
    proxy.begin({ planned: kill, act: () => run.child.kill("SIGKILL") });
    expect((await run.ended).code).toBe(null);
    expect(place.read("terraform.tfstate.journal").match(/"kind":"begun"/g)).toHaveLength(3);

    proxy.mishap = (_isWrite, url) =>
      /^\/api\/v4\/projects\/1\/protected_environments/.test(url) ? fault : undefined;
    const held = await apply();
    expect(held.code).toBe(1);
    expect(held.err).toContain("Recovery pending for this object");
    expect(held.err).toContain("steward_protected_environment.shop");
    expect(held.err).not.toMatch(/steward_protected_environment\.(tools|docs),|Internal error/);
    expect(proxy.writes.filter((write) => write.includes("/projects/1/"))).toEqual([]);
    expect(managed()).toEqual([
      "steward_job_token_scope.docs",
      "steward_job_token_scope.tools",
      "steward_protected_environment.docs",
      "steward_protected_environment.tools",
    ]);

    proxy.mishap = () => undefined;
    expect(await apply()).toMatchObject({ code: 0 });
    expect(managed()).toHaveLength(6);
    expect(existsSync(path.join(place.folder, "terraform.tfstate.journal"))).toBe(false);
    const plan = await place.run(["plan", "--detailed-exitcode", "--config", "."], env);
    expect(plan).toMatchObject({ code: 0, err: "" });
  },
);

describe("an allowlist whose making was killed after one of its entries", () => {
  const allowlist = {
    project: "acme/shop",
    target_projects: ["acme/tools", "acme/docs"],
    target_groups: [],
  };
  const { terraform } = CONFIGURATION;
  const allowed = async () => {
    const url = `${place.service.url}/api/v4/projects/1/job_token_scope/allowlist`;
    const answer = await fetch(url, { headers: { "private-token": place.service.adminToken } });
    return ((await answer.json()) as { path_with_namespace: string }[]).map((one) => one.path_with_namespace);
  };

  beforeEach(async () => {
    place.write("main.tf.json", {
      terraform,
      resource: { steward_job_token_allowlist: { callers: allowlist } },
    });
    const run = place.start(["apply", "--auto-approve", "--config", "."], env);
    const kill = { at: 1, moment: "between send and answer" } as const;
    proxy.begin({ planned: kill, act: () => run.child.kill("SIGKILL") });
    // Whatever else was sent at the same time is not done.
    proxy.mishap = (isWrite) => (isWrite && proxy.writes.length > 1 ? "503" : undefined);
    expect((await run.ended).code).toBe(null);
    proxy.mishap = () => undefined;
    expect(await allowed()).toHaveLength(2);
  });

  test("destroy straight after leaves none of them", async () => {
    const destroyed = await place.run(["destroy", "--auto-approve", "--config", "."], env);
    expect(destroyed).toMatchObject({ code: 0 });
    expect(destroyed.err).toContain("Recovered in part: the interrupted run did not finish");
    expect(await allowed()).toEqual(["acme/shop"]);
  });

  test("apply goes on with it in place, and does not make it anew", async () => {
    const { code, out } = await apply();
    expect(code).toBe(0);
    expect(out).toContain("will be updated in-place");
    expect((await allowed()).sort()).toEqual(["acme/docs", "acme/shop", "acme/tools"]);
  });
});

import { readFileSync } from "node:fs";
import { TerraformStack, Testing } from "cdktf";
import { AccessLevel, Fleet, StewardProvider } from "../../../src/constructs";
import { TOKENS, usePlace } from "../support/place";

const PROJECTS = ["acme/web/shop", "acme/web/legacy"];

/** An app whose fleet has a baseline and two layers, of which one drops a setting. */
const configuration = () => {
  const stack = new TerraformStack(Testing.app(), "estate");
  new StewardProvider(stack, "steward");
  new Fleet(stack, "acme", {
    projects: { group: "acme", includeSubgroups: true },
    baseline: {
      inboundEnabled: true,
      protectedEnvironments: {
        production: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] },
      },
      containerProtectionRules: { "{project}/*": { minimumAccessLevelForPush: "maintainer" } },
    },
    layers: [
      {
        where: "acme/web",
        settings: { containerProtectionRules: { "{project}/*": { minimumAccessLevelForPush: "owner" } } },
      },
      {
        where: "acme/web/legacy",
        settings: { protectedEnvironments: { production: Fleet.unmanaged } },
        ...{ reason: "no deployments", owner: "web-team", until: "2999-01-01" },
      },
    ],
  });
  stack.prepareStack();
  return stack.toTerraform();
};

const place = usePlace("all", {
  users: [
    { username: "maya", token: TOKENS.maintainer },
    { username: "devon", token: TOKENS.developer },
    { username: "oona", token: TOKENS.reader },
  ],
  groups: [
    {
      path: "acme",
      members: [
        { user: "maya", role: "maintainer" },
        { user: "devon", role: "developer" },
      ],
    },
    { path: "acme/web" },
  ],
  projects: PROJECTS.map((path) => ({ path, job_token_scope: { inbound_enabled: false } })),
});
beforeAll(() => void place.write("estate/cdk.tf.json", configuration()));

describe("steward explain", () => {
  it("shows each setting of a project with its layer, what that overrides, the live value, and what is dropped", async () => {
    const { code, out, err } = await place.run(["explain", "acme/web/legacy", "--config", "estate"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.replace(/_[0-9A-F]{8}/g, "").replace(/\S*fleet.test.ts:\d+/g, "LINE");
    expect(lines.split("\n")).toEqual([
      "project acme/web/legacy",
      "",
      '  steward_container_protection_rule.acme_container-rules["2:{project}/*"]',
      '    minimum_access_level_for_push = "owner"  # layer acme/web at LINE, over the baseline at LINE; live: none',
      "",
      '  steward_job_token_scope.acme_job-token-scope["2"]',
      "    inbound_enabled = true  # the baseline at LINE; live: false",
      "",
      "  dropped by layers of estate/acme",
      "    protected_environment production  # layer acme/web/legacy at LINE (no deployments, web-team, until 2999-01-01), over the baseline at LINE",
      "",
    ]);
  });

  it("writes JSON, finds a project by its id, and fails for one that no stack declares", async () => {
    const { out } = await place.run(["explain", "1", "--json", "--config", "estate"]);
    const { settings } = JSON.parse(out);
    expect(
      settings.map(({ type, attribute, value }: Record<string, unknown>) => [type, attribute, value]),
    ).toEqual([
      ["steward_container_protection_rule", "minimum_access_level_for_push", "owner"],
      ["steward_job_token_scope", "inbound_enabled", true],
      [
        "steward_protected_environment",
        "deploy_access_levels",
        [expect.objectContaining({ access_level: 40 })],
      ],
    ]);
    const line = (text: string) =>
      1 +
      readFileSync(__filename, "utf8")
        .split("\n")
        .findIndex((one) => one.includes(text));
    expect(settings[0].from.position).toMatch(
      new RegExp(`fleet.test.ts:${line('minimumAccessLevelForPush: "owner"')}$`),
    );
    expect(settings[2].from.position).toMatch(
      new RegExp(`fleet.test.ts:${line("production: { deployAccessLevels")}$`),
    );
    const { code, err } = await place.run(["explain", "acme/none", "--config", "estate"]);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("No stack declares a setting of acme/none"),
    });
  });
});

describe("--project", () => {
  const run = async (...words: string[]) => {
    const { code, out, err } = await place.run([...words, "--config", "estate", "--state", "estate.tfstate"]);
    return { code, text: `${out}${err}` };
  };
  const limit = (id: number, enabled: boolean) =>
    fetch(`${place.service.url}/api/v4/projects/${id}/job_token_scope`, {
      method: "PATCH",
      headers: { "PRIVATE-TOKEN": place.service.adminToken, "Content-Type": "application/json" },
      body: JSON.stringify({ enabled }),
    });

  it("restricts plan, apply and drift to the projects that match, and leaves all others as they are", async () => {
    const one = await run("apply", "--auto-approve", "--project", "acme/web/SHOP");
    expect(one.text).toContain("Apply complete! Resources: 3 added, 0 changed, 0 destroyed.");
    expect((await run("plan", "--project", "acme/web/s*")).text).toContain("No changes");
    expect((await run("plan", "--project", "acme/*")).text).toContain(
      "Plan: 2 to add, 0 to change, 0 to destroy.",
    );
    await run("apply", "--auto-approve");
    for (const id of [1, 2]) await limit(id, false);
    const before = place.service.requests.all.length;
    expect((await run("drift", "--project", "acme/web/shop")).text).toContain(
      "Drift: 1 changed, 0 vanished (3 objects checked).",
    );
    expect(
      place.service.requests.all.slice(before).filter(({ url }) => url.includes("/projects/2/")),
    ).toEqual([]);
    expect((await run("drift")).text).toContain("Drift: 2 changed, 0 vanished (5 objects checked).");
    expect((await run("apply", "--auto-approve", "--project", "acme/web/legacy")).text).toContain(
      "0 added, 1 changed",
    );
    expect((await run("drift")).text).toContain("Drift: 1 changed");
  });

  it.each([
    [
      "that sees nothing",
      TOKENS.reader,
      'groups or projects of this run to the token\'s user "oona" (404): 1, 2, acme.',
    ],
    ["with a low role", TOKENS.developer, `user "devon" (403): ${[...PROJECTS].sort().join(", ")}.`],
  ])(
    "tells a token %s as one error, of plan and of drift, and which objects it could not check",
    async (_, token, text) => {
      for (const command of ["plan", "drift"]) {
        const args = [command, "--config", "estate", "--state", "estate.tfstate"];
        const { code, out, err } = await place.run(args, { STEWARD_TOKEN: token });
        expect({ code, errors: err.split("Error: ").length - 1 }).toEqual({ code: 1, errors: 1 });
        expect(err.replace(/[│\s]+/g, " ")).toContain(text);
        expect(out).toContain("5 objects could not be checked");
      }
    },
  );

  it("refuses a pattern without a path, an unknown project, and other restrictions", async () => {
    expect((await run("plan", "--project", "*/shop")).text).toContain("begins with a wildcard");
    expect((await run("plan", "--project", "acme/none")).text).toContain('"acme/none" can\'t be found');
    expect((await run("plan", "--project", "acme/*", "--target", "a.b")).text).toContain(
      "--project and --target can't be combined",
    );
  });
});

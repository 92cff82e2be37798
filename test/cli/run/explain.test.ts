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
  users: [{ username: "maya", token: TOKENS.maintainer }],
  groups: [{ path: "acme", members: [{ user: "maya", role: "maintainer" }] }, { path: "acme/web" }],
  projects: PROJECTS.map((path) => ({ path, job_token_scope: { inbound_enabled: false } })),
});
beforeAll(() => void place.write("estate/cdk.tf.json", configuration()));

describe("steward explain", () => {
  it("shows each setting of a project with its layer, what that overrides, the live value, and what is dropped", async () => {
    const { code, out, err } = await place.run(["explain", "acme/web/legacy", "--config", "estate"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.replace(/_[0-9A-F]{8}/g, "").replace(/\S*explain.test.ts:\d+/g, "LINE");
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
      new RegExp(`explain.test.ts:${line('minimumAccessLevelForPush: "owner"')}$`),
    );
    expect(settings[2].from.position).toMatch(
      new RegExp(`explain.test.ts:${line("production: { deployAccessLevels")}$`),
    );
    const { code, err } = await place.run(["explain", "acme/none", "--config", "estate"]);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("No stack declares a setting of acme/none"),
    });
  });
});

import { execFileSync } from "node:child_process";
import path from "node:path";
import { describeWith } from "../../support/capabilities";
import { Company, TOKEN } from "../support/company";

jest.setTimeout(180_000);

const ROOT = path.join(__dirname, "../../..");

const FIXTURE = {
  users: [{ username: "maya", token: TOKEN, admin: true }],
  groups: [
    { path: "acme", members: [{ user: "maya", role: "owner" as const }] },
    { path: "acme/web" },
    { path: "acme/platform" },
  ],
  projects: ["acme/tools", "acme/web/shop", "acme/web/legacy", "acme/platform/cluster-config"].map(
    (path) => ({
      path,
      job_token_scope: { inbound_enabled: false },
    }),
  ),
};

/** A fleet with layers, as a library synthesizes it: the package for cdktn is the one for cdktf with that import. */
const synthesized = (library: "cdktf" | "cdktn"): Record<string, unknown> =>
  JSON.parse(execFileSync(process.execPath, ["-e", APP, library], { cwd: ROOT, encoding: "utf8" }));

const APP = `
  const Module = require("node:module");
  const library = process.argv[1];
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (name, ...rest) => resolve(name === "cdktf" ? library : name, ...rest);
  const { TerraformStack, Testing } = require(library);
  const { AccessLevel, Fleet } = require("./dist/constructs");
  const stack = new TerraformStack(Testing.app(), "estate");
  new Fleet(stack, "acme", {
    projects: { group: "acme", includeSubgroups: true, except: ["acme/platform/*"] },
    baseline: {
      inboundEnabled: true,
      protectedEnvironments: { production: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] } },
      containerProtectionRules: { "{project}/release*": { minimumAccessLevelForPush: "owner" } },
    },
    layers: [
      { where: "acme/web", settings: { containerProtectionRules: Fleet.unmanaged } },
      { where: "acme/web/legacy", settings: { protectedEnvironments: { production: Fleet.unmanaged } } },
    ],
  });
  process.stdout.write(Testing.synth(stack));
`;

const blocksOf = ({ resource, data, locals }: Record<string, unknown>) => ({ resource, data, locals });

test("cdktn synthesizes a fleet as cdktf does", () => {
  expect(blocksOf(synthesized("cdktn"))).toEqual(blocksOf(synthesized("cdktf")));
});

describeWith("engine", "a fleet under an engine", (engine) => {
  let company: Company;
  beforeAll(async () => {
    company = await Company.start(engine, FIXTURE);
  });
  afterAll(() => company.end());

  test("creates the settings of each project, plans nothing afterwards, and destroys none of them", async () => {
    const workspace = await company.reattached();
    workspace.write("fleet.tf.json", JSON.stringify(blocksOf(synthesized("cdktn"))));
    const { stdout } = await workspace.apply();
    // Three limits, two environments, and one rule.
    expect(stdout).toContain("6 added, 0 changed, 0 destroyed");
    expect((await workspace.plan()).stdout).toContain("No changes");
    const { code, output } = await workspace.run(["plan", "-destroy"]);
    expect([code, output]).toEqual([1, expect.stringContaining("prevent_destroy")]);
  });
});

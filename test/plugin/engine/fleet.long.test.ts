import { execFileSync } from "node:child_process";
import path from "node:path";
import { runInProcess } from "../../cli/support/in-process";
import { describeWith } from "../../support/capabilities";
import { Company, TOKEN } from "../support/company";
import type { Workspace } from "../support/workspace";

jest.setTimeout(180_000);

const ROOT = path.join(__dirname, "../../..");

const OUTSIDER = "token-without-a-role";
const FIXTURE = {
  users: [
    { username: "maya", token: TOKEN, admin: true },
    { username: "oona", token: OUTSIDER },
  ],
  groups: [
    { path: "acme", members: [{ user: "maya", role: "owner" as const }] },
    { path: "acme/web" },
    { path: "acme/platform" },
  ],
  projects: ["acme/tools", "acme/web/shop", "acme/web/legacy", "acme/platform/cluster-config"].map(
    (path) => ({
      path,
      topics: ["service"],
      job_token_scope: { inbound_enabled: false },
    }),
  ),
};

/**
 * The synthesized configurations of one library, by the name of the app. For example, `layered` is a fleet with layers,
 * `narrower` has one layer less, and `single` has separate declarations instead of a fleet.
 */
type Synthesized = Readonly<Record<AppName, Record<string, unknown>>>;
type AppName =
  | ("layered" | "narrower" | "single" | "mistyped" | "later")
  | ("alone" | "beside" | "reset" | "renamed" | "kept" | "keptRenamed");

/**
 * Synthesizes the apps with one library. The packages for cdktf and cdktn have the same code except for this import, so the
 * script only replaces the import.
 */
const synthesize = (library: "cdktf" | "cdktn"): Synthesized =>
  JSON.parse(execFileSync(process.execPath, ["-e", APP, library], { cwd: ROOT, encoding: "utf8" }));

const APP = `
  const Module = require("node:module");
  const library = process.argv[1];
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (name, ...rest) => resolve(name === "cdktf" ? library : name, ...rest);
  const { TerraformStack, Testing } = require(library);
  const { AccessLevel, Fleet, ProjectInvitation, ProjectSettings, StewardProvider } = require("./dist/constructs");
  const production = { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] };
  const synth = (declare) => {
    const stack = new TerraformStack(Testing.app(), "estate");
    declare(stack);
    return JSON.parse(Testing.synth(stack));
  };
  const selecting = (allowEmpty) => synth((stack) => new Fleet(stack, "acme", {
    projects: {
      group: "acme", includeSubgroups: true, topics: ["service", "servce"], except: ["acme/web/shpo", "acme/sandbox/*"], allowEmpty,
    },
    baseline: { inboundEnabled: true },
    layers: [{ where: "acme/web/legcay", settings: { inboundEnabled: false }, allowEmpty }],
  }));
  const fleet = (...layers) => synth((stack) => new Fleet(stack, "acme", {
    projects: { group: "acme", includeSubgroups: true, except: ["acme/platform/*"] },
    baseline: {
      inboundEnabled: true,
      protectedEnvironments: { production },
      containerProtectionRules: { "{project}/release*": { minimumAccessLevelForPush: "owner" } },
    },
    layers: [
      { where: "acme/web", settings: { containerProtectionRules: Fleet.unmanaged } },
      { where: "acme/web/legacy", settings: { protectedEnvironments: { production: Fleet.unmanaged } } },
      ...layers,
    ],
  }));
  const settings = (stack, more) => new ProjectSettings(stack, "own", {
    project: "acme/tools",
    inboundEnabled: true,
    ...more,
  });
  /** With the metadata of fleets. */
  const wholly = (declare) => {
    const stack = new TerraformStack(Testing.app(), "estate");
    new StewardProvider(stack, "steward");
    declare(stack);
    const file = require("node:path").join(Testing.fullSynth(stack), "stacks/estate/cdk.tf.json");
    return JSON.parse(require("node:fs").readFileSync(file, "utf8"));
  };
  const leaving = (id, onLeave, except) => wholly((stack) => new Fleet(stack, id, {
    projects: { group: "acme", includeSubgroups: true, except },
    onLeave,
    baseline: { inboundEnabled: true, protectedEnvironments: { staging: production } },
  }));
  process.stdout.write(JSON.stringify({
    alone: synth((stack) => {
      settings(stack, {
        allowlist: { targetProjects: ["acme/web/shop"] },
        protectedEnvironments: { production, staging: production },
      });
      new ProjectInvitation(stack, "invitations", {
        project: "acme/tools",
        email: "ada@example.com",
        accessLevel: AccessLevel.MAINTAINER,
      });
    }),
    beside: synth((stack) => {
      settings(stack, { protectedEnvironments: { staging: production } });
      new Fleet(stack, "acme", {
        projects: { group: "acme/web" },
        baseline: {
          inboundEnabled: true,
          allowlist: { targetProjects: ["acme/tools"] },
          protectedEnvironments: { production },
          invitations: { "bob@example.com": { accessLevel: AccessLevel.DEVELOPER } },
        },
      });
    }),
    reset: leaving("acme", "reset", ["acme/platform/*"]),
    renamed: leaving("renamed", "reset", ["acme/platform/*", "acme/web/legacy"]),
    kept: leaving("acme", "keep", ["acme/platform/*"]),
    keptRenamed: leaving("renamed", "keep", ["acme/platform/*", "acme/web/legacy"]),
    layered: fleet(),
    mistyped: selecting(false),
    later: selecting(true),
    narrower: fleet({ where: "acme/web/shop", settings: { inboundEnabled: Fleet.unmanaged } }),
    single: synth((stack) => {
      new ProjectSettings(stack, "tools", {
        project: "acme/tools",
        inboundEnabled: true,
        protectedEnvironments: { production },
        containerProtectionRules: { "acme/tools/release*": { minimumAccessLevelForPush: "owner" } },
      });
      new ProjectSettings(stack, "shop", { project: "acme/web/shop", inboundEnabled: true, protectedEnvironments: { production } });
      new ProjectSettings(stack, "legacy", { project: "acme/web/legacy", inboundEnabled: true });
    }),
  }));
`;

const blocksOf = ({ resource, data, locals, output, check }: Record<string, unknown>) => ({
  resource,
  data,
  locals,
  output,
  check,
});
let apps: Synthesized;
beforeAll(() => {
  apps = synthesize("cdktn");
});

test("cdktn synthesizes the same fleet as cdktf", () => {
  expect(blocksOf(apps.layered)).toEqual(blocksOf(synthesize("cdktf").layered));
});

for (const capability of ["terraform", "tofu"] as const)
  describeWith(capability, `a fleet under ${capability}`, (program) => {
    let company: Company;
    let workspace: Workspace;
    const declare = (app: Record<string, unknown>) =>
      workspace.write("fleet.tf.json", JSON.stringify(blocksOf(app)));
    /** Declares an app with the metadata of its fleets, which `steward plan` needs. */
    const declareWhole = (app: Record<string, unknown>) =>
      workspace.write("fleet.tf.json", JSON.stringify({ "//": app["//"], ...blocksOf(app) }));
    beforeEach(async () => {
      company = await Company.start(program, FIXTURE);
      workspace = await company.reattached();
    });
    afterEach(() => company.end());

    test("if a fleet no longer contains a setting, Terraform's plan fails until `state rm` removes the setting", async () => {
      declare(apps.layered);
      // The six objects are three limits, two environments, and one rule.
      expect((await workspace.apply()).stdout).toContain("6 added, 0 changed, 0 destroyed");
      expect((await workspace.plan()).stdout).toContain("No changes");
      const destroyed = await workspace.run(["plan", "-destroy"]);
      expect(destroyed).toMatchObject({ code: 1, output: expect.stringContaining("prevent_destroy") });

      declare(apps.narrower);
      const { code, output } = await workspace.run(["plan"]);
      expect([code, output]).toEqual([1, expect.stringContaining("prevent_destroy")]);
      const [, address] = /(\S+\["\d+"\])\s+has\s+(?:lifecycle\.)?prevent_destroy/.exec(output)!;
      await workspace.succeed("state", "rm", address!);
      expect((await workspace.plan()).stdout).toContain("No changes");
      expect(await company.http("GET", "/projects/acme%2Fweb%2Fshop/job_token_scope")).toMatchObject({
        inbound_enabled: true,
      });
    });

    test("if several selectors of a fleet match no project, Terraform's plan fails and prints a message for each", async () => {
      declare(apps.mistyped);
      const { code, output } = await workspace.run(["plan"]);
      const text = output.replaceAll(/\s*\n[│|]?\s*/g, " ");
      expect(code).toBe(1);
      for (const message of [
        'The layer "acme/web/legcay" of the fleet estate/acme applies to no project of the fleet. Did you mean "acme/web/legacy"?',
        'No project in the group acme has the topic "servce", which the fleet estate/acme selects.',
        'The fleet estate/acme leaves out "acme/web/shpo", and no project in the group acme has such a path. Did you mean "acme/web/shop"?',
        "Warning: Check block assertion failed",
        'The fleet estate/acme leaves out "acme/sandbox/*", and no project in the group acme has such a path. Correct',
        "4 to add",
      ])
        expect(text).toContain(message);

      declare(apps.later);
      const later = await workspace.run(["plan"]);
      expect([later.code, later.output]).toEqual([0, expect.not.stringContaining("selectors")]);
      expect(later.output).not.toContain("Changes to Outputs");
    });

    const writeMoves = (...words: readonly string[]) =>
      runInProcess(
        [
          "plan",
          "--config",
          "fleet.tf.json",
          "--state",
          "terraform.tfstate",
          "--write-moves",
          "moves.tf",
          ...words,
        ],
        { folder: workspace.folder, env: { STEWARD_BASE_URL: company.service.url, STEWARD_TOKEN: TOKEN } },
      );
    /** Returns the names of the objects below a path on the service. */
    const names = async (place: string, name: string) =>
      ((await company.http("GET", place)) as Record<string, unknown>[]).map((one) => one[name]);
    const stagings = async () => {
      const paths = ["tools", "web%2Fshop", "web%2Flegacy"];
      const lists = paths.map((one) => names(`/projects/acme%2F${one}/protected_environments`, "name"));
      return (await Promise.all(lists)).map((list) => list.length);
    };

    test("if declarations outside of a fleet are removed, Terraform destroys their objects", async () => {
      declare(apps.alone);
      await workspace.apply();
      declare(apps.beside);
      expect((await workspace.apply()).stdout).toContain("8 added, 0 changed, 3 destroyed");
      expect(await names("/projects/acme%2Ftools/job_token_scope/allowlist", "path")).toEqual(["tools"]);
      expect(await names("/projects/acme%2Ftools/protected_environments", "name")).toEqual(["staging"]);
      expect(await names("/projects/acme%2Ftools/invitations", "invite_email")).toEqual([]);
      expect((await workspace.plan()).stdout).toContain("No changes");
    });

    test("if a fleet gets another construct id, Terraform refuses an apply with -target", async () => {
      declareWhole(apps.reset);
      await workspace.apply();
      declareWhole(apps.renamed);
      expect((await writeMoves("--allow-leaving", "1")).err).toContain("Wrote 4 moved blocks");
      const [, moved] = /to\s+= (.+)/.exec(workspace.read("moves.tf"))!;
      const part = await workspace.run(["apply", "-auto-approve", `-target=${moved}`]);
      expect([part.code, part.output]).toEqual([1, expect.stringContaining("excluded by targeting")]);
      expect(await stagings()).toEqual([1, 1, 1]);
      expect((await workspace.apply()).stdout).toContain("0 added, 0 changed, 2 destroyed");
      expect(await stagings()).toEqual([1, 1, 0]);
      expect((await workspace.plan()).stdout).toContain("No changes");
    });

    test("after a fleet's construct id changes, Terraform refuses to destroy the settings of projects that left the fleet", async () => {
      declareWhole(apps.kept);
      await workspace.apply();
      declareWhole(apps.keptRenamed);
      const { err } = await writeMoves("--allow-leaving", "1");
      expect(err).toContain("Wrote 6 moved blocks");
      const refused = await workspace.run(["apply", "-auto-approve"]);
      expect([refused.code, refused.output]).toEqual([1, expect.stringContaining("prevent_destroy")]);
      const [, addresses] = /^terraform state rm (.+)$/m.exec(err)!;
      await workspace.succeed("state", "rm", ...addresses!.split(" ").map((one) => one.slice(1, -1)));
      expect((await workspace.apply()).stdout).toContain("0 added, 0 changed, 0 destroyed");
      expect(await stagings()).toEqual([1, 1, 1]);
      expect((await workspace.plan()).stdout).toContain("No changes");
    });

    test("if removed blocks with destroy = false exist for a removed fleet, Terraform destroys none of its settings", async () => {
      declareWhole(apps.kept);
      await workspace.apply();
      workspace.delete("fleet.tf.json");
      expect((await workspace.plan()).stdout).toContain("0 to add, 0 to change, 6 to destroy");
      const removed = Object.entries(apps.kept["resource"] as Record<string, object>).flatMap(
        ([type, named]) =>
          Object.keys(named).map(
            (name) => `removed {\n  from = ${type}.${name}\n  lifecycle {\n    destroy = false\n  }\n}\n`,
          ),
      );
      workspace.write("removed.tf", removed.join("\n"));
      expect((await workspace.apply()).stdout).toContain("0 added, 0 changed, 0 destroyed");
      expect(await stagings()).toEqual([1, 1, 1]);
      expect((await workspace.plan()).stdout).toContain("No changes");
    });

    test("if moved blocks move objects from separate declarations into a fleet, Terraform plans no change", async () => {
      declare(apps.single);
      await workspace.apply();
      declare(apps.layered);
      const { code, err } = await writeMoves();
      expect({ code, err }).toEqual({ code: 0, err: "Wrote 6 moved blocks to moves.tf.\n" });
      expect(workspace.read("moves.tf").match(/moved \{/g)).toHaveLength(6);
      expect(await workspace.actions()).toEqual({});
      expect((await workspace.apply()).stdout).toContain("0 added, 0 changed, 0 destroyed");
      workspace.delete("moves.tf");
      expect((await workspace.plan()).stdout).toContain("No changes");
    });

    test("if the token can't see any project, Terraform prints one error that does not suggest to remove objects", async () => {
      declare(apps.single);
      await workspace.apply();
      workspace.write("provider.tf", `provider "steward" {\n${company.providerSettings(OUTSIDER)}\n}\n`);
      const { code, output } = await workspace.run(["plan"]);
      expect([code, output.match(/Error: /g)]).toEqual([1, ["Error: "]]);
      expect(output).toContain("No project found");
      expect(output).toContain("more similar warnings elsewhere");
      expect(output).not.toMatch(/state rm|removed \{/);
    });
  });

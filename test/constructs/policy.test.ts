import { App, Aspects, TerraformResource, type TerraformStack, TerraformVariable } from "cdktf";
import type { IConstruct } from "constructs";
import {
  AccessLevel,
  type ChangeRule,
  DataStewardProject,
  Fleet,
  inboundLimitOn,
  JobTokenScope,
  ProjectPolicy,
  ProjectSettings,
  ProtectedEnvironment,
  StewardProvider,
} from "../../src/constructs";
import { saidBy, stackOf } from "./support/annotations";
import { inFolder } from "./support/folder";
import { judged, production, project } from "./support/judged";

const variable = (stack: TerraformStack) => new TerraformVariable(stack, "variable", {});

describe("waivers of a policy", () => {
  const open = (stack: TerraformStack) => {
    new JobTokenScope(stack, "limit", { project, inboundEnabled: false });
  };
  const waiver = { rule: "inbound limit on", reason: "migration", owner: "web-team", until: "2099-12-31" };
  const waived = (more: object, declare = open) =>
    judged(inboundLimitOn(), declare, {
      maxWaiverDays: 36_500,
      waivers: [{ ...waiver, project: "acme/*", ...more }],
    });

  it("a waiver accepts the violations of its projects until its date", () => {
    expect(waived({})).toEqual([]);
    expect(waived({ project: "other/*" })).toHaveLength(1);
    expect(waived({ until: "2020-01-01" })).toHaveLength(1);
  });

  it("if a fleet's layer for a group violates a rule, only a waiver for the whole group accepts the violation", () => {
    const fleet = (stack: TerraformStack) => {
      new Fleet(stack, "all", {
        projects: { group: "acme" },
        baseline: { inboundEnabled: true },
        layers: [{ where: "acme/web", settings: { inboundEnabled: false } }],
      });
    };
    expect(waived({ project: "acme/web/*" }, fleet)).toEqual([]);
    expect(waived({ project: "acme/web/shop" }, fleet)).toHaveLength(1);
  });

  it("the synthesized stack contains the waivers, with the number of violations that each waiver accepts", () => {
    const synthesized = inFolder((outdir, read) => {
      const app = new App({ outdir });
      const waivers = [{ ...waiver, project: "*" }];
      Aspects.of(app).add(new ProjectPolicy({ rules: [inboundLimitOn()], waivers, maxWaiverDays: 36_500 }));
      open(stackOf(app, "shop"));
      app.synth();
      return read("stacks/shop/cdk.tf.json");
    });
    expect(synthesized).toMatchObject({ "//": { waivers: [{ ...waiver, status: "active", uses: 1 }] } });
  });

  it("a policy refuses an invalid waiver", () => {
    expect(() => waived({ until: "2199-12-31" })).toThrow("the policy allows 36500 days");
    expect(() => waived({ rule: "inbound limit" })).toThrow("which this policy does not contain");
  });

  describe("for one run", () => {
    afterEach(() => {
      delete process.env["STEWARD_WAIVE"];
    });

    it("STEWARD_WAIVE accepts the violations of the named rule, if this rule can be waived", () => {
      process.env["STEWARD_WAIVE"] = JSON.stringify({ rule: "inbound limit on", reason: "incident 12" });
      expect(judged(inboundLimitOn(), open)).toEqual([]);
      expect(judged({ ...inboundLimitOn(), name: "another" }, open)).toHaveLength(1);
      expect(() => judged({ ...inboundLimitOn(), waivable: false }, open)).toThrow("can't be waived");
    });
  });
});

describe("the rule inboundLimitOn", () => {
  const limit = (inboundEnabled?: boolean) => (stack: TerraformStack) => {
    new JobTokenScope(stack, "limit", { project, inboundEnabled });
  };

  it("a violation names the construct, the problem, the reason and the fix", () => {
    expect(judged(inboundLimitOn(), limit(true))).toEqual([]);
    expect(judged(inboundLimitOn(), limit(false))).toEqual([
      'error shop/limit: Policy "inbound limit on", project acme/web-shop: inboundEnabled is false. ' +
        "Without the limit, job tokens of every project on the instance have access. Set inboundEnabled to true.",
    ]);
    expect(judged(inboundLimitOn(), limit())).toEqual([expect.stringMatching(/^error .* is not set\./)]);
  });

  it("a project without a declared inbound limit violates the rule", () => {
    expect(
      judged(inboundLimitOn(), (stack) => {
        new ProtectedEnvironment(stack, "production", production);
      }),
    ).toEqual([
      expect.stringMatching(/^error shop\/production: .*The limit on inbound job tokens is not declared/),
    ]);
  });

  it("the rule about the inbound limit reports a missing or disabled limit in ProjectSettings", () => {
    const settings = (inboundEnabled?: boolean) => (stack: TerraformStack) => {
      const protectedEnvironments = {
        production: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] },
      };
      new ProjectSettings(stack, "settings", { project, inboundEnabled, protectedEnvironments });
    };
    expect(judged(inboundLimitOn(), settings(true))).toEqual([]);
    expect(judged(inboundLimitOn(), settings())).toEqual([
      expect.stringMatching(/^error shop\/settings: .*The limit on inbound job tokens is not declared/),
    ]);
    expect(judged(inboundLimitOn(), settings(false))).toEqual([
      expect.stringMatching(/^error shop\/settings\/job-token-scope: .*inboundEnabled is false/),
    ]);
  });

  it("the rule reports an inbound limit that an override, a raw resource or another aspect disables", () => {
    const override = (stack: TerraformStack) => {
      new JobTokenScope(stack, "limit", { project, inboundEnabled: true }).addOverride(
        "inbound_enabled",
        false,
      );
    };
    const elsewhere = (stack: TerraformStack) => {
      const raw = new TerraformResource(stack, "limit", { terraformResourceType: "steward_job_token_scope" });
      raw.addOverride("project", project);
      raw.addOverride("inbound_enabled", false);
    };
    const aspect = (stack: TerraformStack) => {
      const limit = new JobTokenScope(stack, "limit", { project, inboundEnabled: true });
      Aspects.of(stack).add({
        visit(node: IConstruct) {
          if (node === limit) limit.inboundEnabled = false;
        },
      });
    };
    for (const declare of [override, elsewhere, aspect]) {
      expect(judged(inboundLimitOn(), declare)).toEqual([expect.stringContaining("inboundEnabled is false")]);
    }
  });

  it("if the count of a declaration is 0, the rule ignores the declaration's disabled inbound limit", () => {
    const said = judged(inboundLimitOn(), (stack) => {
      new JobTokenScope(stack, "limit", { project, inboundEnabled: false, count: 0 });
    });
    expect(said).toEqual([]);
  });

  it("if the inbound limit is known only after apply, the policy reports a violation, or optionally a warning", () => {
    const declare = (stack: TerraformStack) => {
      new JobTokenScope(stack, "limit", { project, inboundEnabled: variable(stack).booleanValue });
    };
    expect(judged(inboundLimitOn(), declare)).toEqual([
      expect.stringMatching(/^error shop\/limit: .*inboundEnabled is known only after apply/),
    ]);
    expect(judged(inboundLimitOn(), declare, { undecided: "warning" })).toEqual([
      expect.stringMatching(/^warn shop\/limit: /),
    ]);
  });
});

describe("an advisory rule", () => {
  it("synthesis warns about a violation of an advisory rule, and writes the stacks", () => {
    const rule = { ...inboundLimitOn(), level: "advisory" as const };
    const declare = (stack: TerraformStack) => {
      new JobTokenScope(stack, "limit", { project, inboundEnabled: false });
    };
    expect(judged(rule, declare)).toEqual([
      expect.stringMatching(/^warn shop\/limit: .*inboundEnabled is false/),
    ]);
  });
});

describe("a rule for changes", () => {
  const rule = (name: string): ChangeRule => ({
    name,
    why: "Because.",
    checkChange: () => {
      throw new Error("There is no plan yet.");
    },
  });

  it("the synthesized stack contains the names of the policy's rules for changes", () => {
    const stacks = inFolder((outdir, read) => {
      const app = new App({ outdir });
      Aspects.of(app).add(new ProjectPolicy({ rules: [rule("one"), rule("two")] }));
      const shop = stackOf(app, "shop");
      new JobTokenScope(shop, "limit", { project, inboundEnabled: true });
      Aspects.of(shop).add(new ProjectPolicy({ rules: [rule("two"), rule("three"), inboundLimitOn()] }));
      stackOf(app, "docs");
      app.synth();
      return ["shop", "docs"].map((name) => read(`stacks/${name}/cdk.tf.json`));
    }) as { "//": { change_rules: string[]; metadata: object } }[];
    expect(stacks.map((stack) => [...stack["//"].change_rules].sort())).toEqual([
      ["one", "three", "two"],
      ["one", "two"],
    ]);
    expect(stacks[0]!["//"].metadata).toMatchObject({ stackName: "shop" });
  });
});

describe("different references to one project", () => {
  it("the policy treats a path, a data source and a resource reference in two stacks as one project", () => {
    const said = saidBy((app) => {
      Aspects.of(app).add(new ProjectPolicy({ rules: [inboundLimitOn()] }));
      const one = stackOf(app, "one");
      const shop = new DataStewardProject(one, "shop", { project });
      const limit = new JobTokenScope(one, "limit", { project: shop.id, inboundEnabled: true });
      new ProtectedEnvironment(one, "staging", { ...production, project: limit.project, name: "staging" });
      new ProtectedEnvironment(stackOf(app, "two"), "production", production);
    });
    expect(said).toEqual([]);
  });

  it("the policy treats equal paths with different services or for_each values as different projects", () => {
    const said = saidBy((app) => {
      Aspects.of(app).add(new ProjectPolicy({ rules: [inboundLimitOn()] }));
      const stack = stackOf(app, "shop");
      const there = new StewardProvider(stack, "there", { alias: "there", baseUrl: "https://there.example" });
      new JobTokenScope(stack, "limit", { project, inboundEnabled: true });
      new ProtectedEnvironment(stack, "production", { ...production, provider: there });
      const each = {
        project: "${each.value}",
        name: "production",
        deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
      };
      new JobTokenScope(stack, "limits", { project: each.project, inboundEnabled: true }).addOverride(
        "for_each",
        ["a"],
      );
      new ProtectedEnvironment(stack, "same", each).addOverride("for_each", ["a"]);
      new ProtectedEnvironment(stack, "other", each).addOverride("for_each", ["b"]);
    });
    expect(said).toEqual([
      expect.stringMatching(/^error shop\/production: .*The limit on inbound job tokens is not declared/),
      expect.stringMatching(
        /^error shop\/other: .*project \$\{each.value\}: The limit on inbound job tokens is not declared/,
      ),
    ]);
  });
});

describe("where a policy is added", () => {
  const two = (add: (app: IConstruct, one: IConstruct, part: IConstruct) => void) =>
    saidBy((app) => {
      const one = stackOf(app, "one");
      const part = new ProjectSettings(one, "part", { project: "acme/a", inboundEnabled: false });
      new JobTokenScope(one, "limit", { project: "acme/b", inboundEnabled: false });
      new JobTokenScope(stackOf(app, "two"), "limit", { project: "acme/c", inboundEnabled: false });
      add(app, one, part);
    }).map((line) => line.split(":")[0]);
  const policy = () => new ProjectPolicy({ rules: [inboundLimitOn()] });

  it("a policy of the app checks the stacks created before and after the policy", () => {
    expect(two((app) => Aspects.of(app).add(policy()))).toEqual([
      "error one/part/job-token-scope",
      "error one/limit",
      "error two/limit",
    ]);
  });

  it("a policy of a stack or a construct checks only the constructs inside", () => {
    expect(two((_app, one) => Aspects.of(one).add(policy()))).toEqual([
      "error one/part/job-token-scope",
      "error one/limit",
    ]);
    expect(two((_app, _one, part) => Aspects.of(part).add(policy()))).toEqual([
      "error one/part/job-token-scope",
    ]);
  });

  it("a policy that is not added anywhere checks nothing", () => {
    expect(two(() => undefined)).toEqual([]);
  });
});

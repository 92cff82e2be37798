import type { TerraformStack } from "cdktf";
import { Node } from "constructs";
import {
  DataStewardProject,
  JobTokenAllowlist,
  JobTokenAllowlistGroup,
  JobTokenAllowlistProject,
  ProjectSettings,
  StewardProvider,
} from "../../src/constructs";
import { saidBy, stackOf } from "./support/annotations";

const project = "acme/web-shop";

const inOneStack = (declare: (stack: TerraformStack) => void) =>
  saidBy((app) => declare(stackOf(app, "shop")));

describe("an allowlist owned as a whole and by single entries in one project", () => {
  it("a construct for the whole allowlist and a construct for one entry each get an error about the other", () => {
    const said = inOneStack((stack) => {
      new JobTokenAllowlist(stack, "all", { project, targetProjects: ["acme/tools"] });
      new JobTokenAllowlistProject(stack, "docs", { project, targetProject: "acme/docs" });
    });
    expect(said).toEqual([
      "error shop/all: targetProjects owns the whole allowlist of acme/web-shop, and shop/docs owns one entry of it. " +
        "Each would undo the other's changes. Declare the whole allowlist with all its entries, or only single entries.",
      "error shop/docs: This owns one entry of the allowlist of acme/web-shop, and shop/all owns all of it. " +
        "Each would undo the other's changes. Declare the whole allowlist with all its entries, or only single entries.",
    ]);
  });

  it("an allowlist in ProjectSettings and a single allowlisted group of the same project each get an error", () => {
    const said = inOneStack((stack) => {
      const shop = new DataStewardProject(stack, "data", { project });
      new ProjectSettings(stack, "settings", { project, allowlist: { targetGroups: [] } });
      new JobTokenAllowlistGroup(stack, "platform", { project: shop.id, targetGroup: "acme/platform" });
    });
    expect(said.map((line) => line.split(":")[0])).toEqual([
      "error shop/settings/job-token-allowlist",
      "error shop/platform",
    ]);
  });

  it("if one stack declares the whole allowlist and another a single entry, each declaration gets an error", () => {
    const said = saidBy((app) => {
      new JobTokenAllowlist(stackOf(app, "one"), "all", { project, targetProjects: [] });
      new JobTokenAllowlistProject(stackOf(app, "two"), "docs", { project, targetProject: "acme/docs" });
    });
    expect(said).toEqual([
      expect.stringMatching(/^error one\/all: .*two\/docs owns one entry of it.*different services/),
      expect.stringMatching(/^error two\/docs: .*one\/all owns all of it.*different services/),
    ]);
  });

  it("if a stack declares the whole allowlist and a nested stack a single entry, both declarations get an error", () => {
    const said = saidBy((app) => {
      const outer = stackOf(app, "outer");
      new JobTokenAllowlist(outer, "all", { project, targetProjects: [] });
      new JobTokenAllowlistProject(stackOf(outer, "inner"), "docs", { project, targetProject: "acme/docs" });
    });
    // Repeated messages are removed, because cdktf validates a nested stack twice: first without the outer stack, and then
    // with the outer stack.
    expect([...new Set(said)].sort()).toEqual([
      expect.stringMatching(/^error outer\/all: .*outer\/inner\/docs owns one entry of it/),
      expect.stringMatching(/^error outer\/inner\/docs: .*outer\/all owns all of it/),
    ]);
  });

  it("the work of the check for two allowlist declarations grows linearly with the number of stacks", () => {
    const visits = (stacks: number): number => {
      const children = jest.spyOn(Node.prototype, "children", "get");
      try {
        saidBy((app) => {
          for (let index = 0; index < stacks; index += 1) {
            const target = { project: `acme/${index}`, targetProject: project };
            new JobTokenAllowlistProject(stackOf(app, `stack-${index}`), "entry", target);
          }
        });
        return children.mock.calls.length;
      } finally {
        children.mockRestore();
      }
    };
    expect(visits(40) / visits(10)).toBeLessThanOrEqual(4.2);
  });

  it("a whole allowlist and a single entry cause no error if their sets, projects or services differ", () => {
    const said = inOneStack((stack) => {
      const there = new StewardProvider(stack, "there", { alias: "there", baseUrl: "https://there.example" });
      new JobTokenAllowlist(stack, "all", { project, targetProjects: ["acme/tools"] });
      new JobTokenAllowlistGroup(stack, "platform", { project, targetGroup: "acme/platform" });
      new JobTokenAllowlistProject(stack, "docs", { project: "acme/docs", targetProject: "acme/tools" });
      new JobTokenAllowlistProject(stack, "there-docs", {
        project,
        targetProject: "acme/docs",
        provider: there,
      });
    });
    expect(said).toEqual([]);
  });
});

import { Fleet, ImportBlocks, JobTokenScope, ProjectSettings } from "../../src/constructs";
import { synthesized } from "./support/synthesized";

const project = "acme/web-shop";

describe("ImportBlocks", () => {
  it("ImportBlocks writes an import block for each given id, also for parts of ProjectSettings and for constructs declared later", () => {
    const { resource, ...rest } = synthesized((stack) => {
      new ImportBlocks(stack, "imports", {
        limit: "42",
        "shop/environment-production": "acme/web-shop:production",
      });
      new JobTokenScope(stack, "limit", { project, inboundEnabled: true });
      new ProjectSettings(stack, "shop", {
        project,
        protectedEnvironments: { production: { deployAccessLevels: [{ accessLevel: 40 }] } },
      });
    });
    const [environment] = Object.keys(resource!["steward_protected_environment"]!);
    expect((rest as { import?: unknown }).import).toEqual([
      { to: "steward_job_token_scope.limit", id: "42" },
      { to: `steward_protected_environment.${environment}`, id: "acme/web-shop:production" },
    ]);
  });

  it("ImportBlocks imports one for_each instance if the construct path ends with the instance's key in brackets", () => {
    const { import: blocks } = synthesized((stack) => {
      new ImportBlocks(stack, "imports", {
        "acme/environments[42:production]": "acme/web:production",
        'acme/container-rules[42:a"b]': "acme/web:3",
      });
      new Fleet(stack, "acme", { projects: { group: "acme" }, baseline: { inboundEnabled: true } });
    }) as { import?: { to: string }[] };
    expect(blocks!.map(({ to }) => to.replace(/_[0-9A-F]{8}/, ""))).toEqual([
      'steward_protected_environment.acme_environments["42:production"]',
      'steward_container_protection_rule.acme_container-rules["42:a\\"b"]',
    ]);
  });

  it("ImportBlocks without ids adds no import block", () => {
    expect(synthesized((stack) => void new ImportBlocks(stack, "imports", {}))).not.toHaveProperty("import");
  });

  it.each(["gone", "shop", "limit/inner"])("ImportBlocks refuses %s, which is not a resource", (path) => {
    const declare = () =>
      synthesized((stack) => {
        new ProjectSettings(stack, "shop", { project });
        new JobTokenScope(stack, "limit", { project, inboundEnabled: true });
        new ImportBlocks(stack, "imports", { [path]: "42" });
      });
    expect(declare).toThrow(`imports "${path}", which is not a resource below test`);
  });
});

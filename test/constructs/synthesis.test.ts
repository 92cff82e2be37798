import {
  Lazy,
  TerraformOutput,
  TerraformResource,
  TerraformStack,
  TerraformVariable,
  Testing,
  Token,
} from "cdktf";
import {
  AccessLevel,
  DataStewardProject,
  JobTokenAllowlist,
  JobTokenAllowlistProject,
  JobTokenScope,
  ProtectedEnvironment,
  type ProtectedEnvironmentApprovalRules,
  StewardProvider,
} from "cdktf-provider-steward";
import fc from "fast-check";
import { packageVersion } from "../../src/cli/version";
import { PROVIDER_SOURCE } from "../../src/provider";
import { synthesized } from "./support/synthesized";

describe("the provider", () => {
  it("required_providers of a stack contains the provider's source and the version of the package", () => {
    const { terraform } = synthesized((stack) => new StewardProvider(stack, "steward"));
    expect(terraform?.required_providers).toEqual({
      steward: { source: PROVIDER_SOURCE, version: packageVersion() },
    });
  });

  it("if a stack declares the provider twice, a synthesized resource contains the alias of its provider", () => {
    const { provider, resource } = synthesized((stack) => {
      new StewardProvider(stack, "here");
      const there = new StewardProvider(stack, "there", { alias: "there", baseUrl: "https://there.example" });
      new JobTokenScope(stack, "scope", { project: "42", provider: there });
    });
    expect(provider?.["steward"]).toEqual([{}, { alias: "there", base_url: "https://there.example" }]);
    expect(resource?.["steward_job_token_scope"]?.["scope"]).toEqual({
      project: "42",
      provider: "steward.there",
    });
  });

  it("if the provider's token is a variable, the synthesized provider block contains a reference to the variable", () => {
    const { provider } = synthesized((stack) => {
      const token = new TerraformVariable(stack, "token", { type: "string", sensitive: true });
      new StewardProvider(stack, "steward", { token: token.stringValue });
    });
    expect(provider?.["steward"]).toEqual([{ token: "${var.token}" }]);
  });
});

describe("references", () => {
  it("references to a data source and to another resource become expressions", () => {
    const { resource } = synthesized((stack) => {
      const project = new DataStewardProject(stack, "shop", { project: "acme/web-shop" });
      const scope = new JobTokenScope(stack, "limit", { project: project.id, inboundEnabled: true });
      new JobTokenAllowlistProject(stack, "tools", {
        project: scope.project,
        targetProject: "acme/deploy-tools",
      });
    });
    expect(resource?.["steward_job_token_scope"]?.["limit"]?.["project"]).toBe(
      "${data.steward_project.shop.id}",
    );
    expect(resource?.["steward_job_token_allowlist_project"]?.["tools"]?.["project"]).toBe(
      "${steward_job_token_scope.limit.project}",
    );
  });

  it("references to numbers and booleans become expressions", () => {
    const { output } = synthesized((stack) => {
      const scope = new JobTokenScope(stack, "limit", { project: "42" });
      const entry = new JobTokenAllowlistProject(stack, "tools", { project: "42", targetProject: "77" });
      new TerraformOutput(stack, "inbound", { value: scope.inboundEnabled });
      new TerraformOutput(stack, "target", { value: entry.targetProjectId });
    });
    expect(output).toEqual({
      inbound: { value: "${steward_job_token_scope.limit.inbound_enabled}" },
      target: { value: "${steward_job_token_allowlist_project.tools.target_project_id}" },
    });
  });

  it("a reference to an attribute of a set's element is synthesized with tolist", () => {
    const { output } = synthesized((stack) => {
      const environment = new ProtectedEnvironment(stack, "production", {
        project: "42",
        name: "production",
        deployAccessLevels: [{ accessLevel: 40 }],
      });
      new TerraformOutput(stack, "who", { value: environment.approvalRules.get(0).user });
    });
    expect(output?.["who"]?.value).toBe(
      "${tolist(steward_protected_environment.production.approval_rules).0.user}",
    );
  });

  it("references in deployAccessLevels of an environment become expressions", () => {
    const { resource } = synthesized((stack) => {
      const project = new DataStewardProject(stack, "shop", { project: "acme/web-shop" });
      new ProtectedEnvironment(stack, "production", {
        project: project.id,
        name: "production",
        deployAccessLevels: [
          { user: project.name, accessLevel: AccessLevel.fromToken(Token.asNumber("${var.level}")) },
        ],
      });
    });
    expect(resource?.["steward_protected_environment"]?.["production"]?.["deploy_access_levels"]).toEqual([
      { user: "${data.steward_project.shop.name}", access_level: "${var.level}" },
    ]);
  });
});

describe("omitted values", () => {
  it("an argument with an empty set is synthesized, and an undefined argument is not", () => {
    const rules: ProtectedEnvironmentApprovalRules[] | undefined = undefined;
    const { resource } = synthesized((stack) => {
      new JobTokenScope(stack, "scope", { project: "42", inboundEnabled: undefined });
      new JobTokenAllowlist(stack, "allowlist", { project: "42", targetProjects: [] });
      new ProtectedEnvironment(stack, "production", {
        project: "42",
        name: "production",
        deployAccessLevels: [{ accessLevel: 40 }],
        approvalRules: rules,
      });
    });
    expect(resource).toEqual({
      steward_job_token_scope: { scope: { project: "42" } },
      steward_job_token_allowlist: { allowlist: { project: "42", target_projects: [] } },
      steward_protected_environment: {
        production: { project: "42", name: "production", deploy_access_levels: [{ access_level: 40 }] },
      },
    });
  });

  it("an argument that the app reset is not synthesized", () => {
    const { resource } = synthesized((stack) => {
      const environment = new ProtectedEnvironment(stack, "production", {
        project: "42",
        name: "production",
        deployAccessLevels: [{ accessLevel: 40 }],
        approvalRules: [{ user: "devon", requiredApprovals: 2 }],
      });
      environment.resetApprovalRules();
      environment.putDeployAccessLevels([{ group: "acme/release-managers" }]);
    });
    expect(resource?.["steward_protected_environment"]?.["production"]).toEqual({
      project: "42",
      name: "production",
      deploy_access_levels: [{ group: "acme/release-managers" }],
    });
  });
});

test("the synthesized stack is the same if constructs drop omitted arguments and if cdktf drops them", () => {
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const text = fc.oneof(
    fc.string(),
    fc.constant("${var.given}"),
    fc.string().map((known) => Lazy.stringValue({ produce: () => known })),
    fc.constant(Lazy.stringValue({ produce: () => undefined })),
  );
  const level = maybe(fc.constantFrom(AccessLevel.DEVELOPER, AccessLevel.MAINTAINER));
  const deployAccessLevels = fc.array(
    fc.record({ accessLevel: level, user: maybe(text), group: maybe(text) }),
  );
  const overrides = fc.array(
    fc.tuple(
      fc.constantFrom("name", "deploy_access_levels", "lifecycle.ignore_changes", "count", "extra.deep"),
      fc.oneof(fc.anything({ withNullPrototype: false, maxDepth: 2 }).filter(isPlain), text),
    ),
  );
  const config = fc.record({
    name: text,
    project: text,
    deployAccessLevels: maybe(deployAccessLevels),
    count: maybe(fc.nat(3)),
    lifecycle: maybe(fc.record({ preventDestroy: maybe(fc.boolean()) })),
  });
  fc.assert(
    fc.property(config, overrides, (given, changes) => {
      const written = (asCdktf: boolean) => {
        const app = Testing.app();
        const stack = new TerraformStack(app, "stack");
        const one = new ProtectedEnvironment(stack, "one", given as never);
        for (const [path, value] of changes) one.addOverride(path, value);
        if (asCdktf) {
          const { prototype } = TerraformResource;
          Object.defineProperty(one, "terraformMetaArguments", {
            get: () => Reflect.get(prototype, "terraformMetaArguments", one),
          });
          one.toTerraform = prototype.toTerraform;
        }
        return outcomeOf(() => Testing.synth(stack));
      };
      expect(written(false)).toBe(written(true));
    }),
    { numRuns: 60 },
  );
});

/** Returns whether a value is plain JSON. cdktf refuses any other value. */
const isPlain = (value: unknown): boolean =>
  value === undefined ||
  (typeof value !== "bigint" && typeof value !== "symbol" && JSON.stringify(value) !== undefined);

function outcomeOf(act: () => string): string {
  try {
    return act();
  } catch (problem) {
    return (problem as Error).message;
  }
}

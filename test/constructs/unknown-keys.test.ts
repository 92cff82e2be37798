import { Fn, Lazy, TerraformIterator, TerraformStack, TerraformVariable, Testing, Token } from "cdktf";
import {
  AccessLevel,
  DataStewardProjects,
  deployersAtLeast,
  inboundLimitOn,
  JobTokenAllowlist,
  JobTokenScope,
  ProjectPolicy,
  ProjectSettings,
  ProtectedEnvironment,
  requiredApprovals,
  StewardProvider,
} from "../../src/constructs";

// The tests check that constructs refuse unknown keys. Without this check, the construct would silently drop a mistyped
// key, and Steward would not manage the setting. TypeScript does not find all unknown keys, and JavaScript finds none.

let stack: TerraformStack;
beforeEach(() => {
  stack = new TerraformStack(Testing.app(), "web");
});

const deployAccessLevels = [{ accessLevel: AccessLevel.MAINTAINER }];
const environment = { project: "acme/web", name: "production", deployAccessLevels };

/** Returns `config`. As in JavaScript, an unknown key is not a type error. */
const js = <T>(config: T & Readonly<Record<string, unknown>>): T => config;

describe("a construct refuses a key that it does not have", () => {
  test.each<[string, () => unknown, string]>([
    [
      "in a resource",
      () => new JobTokenScope(stack, "limit", js({ project: "acme/web", inboundEnable: true })),
      'JobTokenScope has no key "inboundEnable". Did you mean "inboundEnabled"?',
    ],
    [
      "in an element of a set",
      () =>
        new ProtectedEnvironment(stack, "production", {
          ...environment,
          approvalRules: [{ user: "ada" }, js({ group: "acme/leads", requiredApproval: 2 })],
        }),
      'ProtectedEnvironment.approvalRules[1] has no key "requiredApproval". Did you mean "requiredApprovals"?',
    ],
    [
      "in lifecycle",
      () =>
        new ProtectedEnvironment(stack, "production", {
          ...environment,
          lifecycle: js<{ preventDestroy?: boolean }>({ preventDestory: true }),
        }),
      'ProtectedEnvironment.lifecycle has no key "preventDestory". Did you mean "preventDestroy"?',
    ],
    [
      "in a data source",
      () => new DataStewardProjects(stack, "all", js({ group: "acme", includeSubgroup: true })),
      'DataStewardProjects has no key "includeSubgroup". Did you mean "includeSubgroups"?',
    ],
    [
      "in the provider",
      () =>
        new StewardProvider(stack, "steward", js<{ baseUrl?: string }>({ baseURL: "https://git.example" })),
      'StewardProvider has no key "baseURL". Did you mean "baseUrl"?',
    ],
    [
      "a key without a similar name",
      () => new JobTokenScope(stack, "limit", js({ project: "acme/web", visibility: "private" })),
      'JobTokenScope has no key "visibility". It takes dependsOn, count,',
    ],
    [
      "a key of Object.prototype",
      () => new JobTokenScope(stack, "limit", js({ project: "acme/web", toString: "x" })),
      'JobTokenScope has no key "toString".',
    ],
    [
      "in ProjectSettings",
      () => new ProjectSettings(stack, "settings", js({ project: "acme/web", inboundEnable: true })),
      'ProjectSettings has no key "inboundEnable". Did you mean "inboundEnabled"?',
    ],
    [
      "in an option of ProjectSettings",
      () =>
        new ProjectSettings(stack, "settings", {
          project: "acme/web",
          protectedEnvironments: { production: js({ deployAccessLevels, approvalRule: [{ user: "ada" }] }) },
        }),
      'ProtectedEnvironment has no key "approvalRule". Did you mean "approvalRules"?',
    ],
    [
      "a key that ProjectSettings sets itself",
      () =>
        new ProjectSettings(stack, "settings", {
          project: "acme/web",
          allowlist: js({ project: "acme/docs", targetProjects: [] }),
        }),
      'allowlist has the key "project", which ProjectSettings sets for all parts.',
    ],
    [
      "in ProjectPolicy",
      () => new ProjectPolicy(js({ rules: [inboundLimitOn()], undecide: "warning" })),
      'ProjectPolicy has no key "undecide". Did you mean "undecided"?',
    ],
    [
      "in requiredApprovals",
      () => requiredApprovals(js({ enviroment: "production", atLeast: 2 })),
      'requiredApprovals has no key "enviroment". Did you mean "environment"?',
    ],
    [
      "in deployersAtLeast",
      () => deployersAtLeast(js({ environments: "production", level: AccessLevel.MAINTAINER })),
      'deployersAtLeast has no key "environments". Did you mean "environment"?',
    ],
  ])("an unknown key is an error: %s", (_, declare, says) => {
    expect(declare).toThrow(says);
  });

  test("the error of a misspelled key contains the construct's path and the line in the app", () => {
    const declare = () => new JobTokenScope(stack, "limit", js({ project: "acme/web", inboundEnable: true }));
    expect(declare).toThrow(
      /^\[web\/limit\] test\/constructs\/unknown-keys\.test\.ts:\d+: JobTokenScope has/,
    );
  });
});

test("a construct accepts cdktf's keys, such as forEach, and accepts an unknown key if its value is undefined", () => {
  new StewardProvider(stack, "steward", { alias: "main", baseUrl: "https://git.example" });
  const scope = new JobTokenScope(stack, "limit", {
    project: "acme/web",
    inboundEnabled: Lazy.anyValue({ produce: () => true }),
    ...{ outbound: undefined },
  });
  const rules = new TerraformVariable(stack, "rules", { type: "list(any)" });
  const each = TerraformIterator.fromList(["acme/a", "acme/b"]);
  new ProtectedEnvironment(stack, "production", {
    project: each.value,
    forEach: each,
    name: "production",
    deployAccessLevels: Token.asAny(rules.value),
    approvalRules: each.dynamic({ user: each.value }),
    dependsOn: [scope],
    lifecycle: {
      createBeforeDestroy: true,
      preventDestroy: true,
      ignoreChanges: ["name"],
      replaceTriggeredBy: ["terraform_data.x"],
      precondition: [{ condition: "${true}", errorMessage: "e" }],
    },
    provisioners: [{ type: "local-exec", command: "true" }],
    connection: { type: "ssh", host: "h" },
  });
  new JobTokenAllowlist(stack, "allowlist", {
    project: "acme/web",
    targetProjects: Fn.tolist(["acme/tools"]),
    count: 2,
  });
  expect(JSON.parse(Testing.synth(stack)).resource).toMatchObject({ steward_protected_environment: {} });
});

import { type Code, expression, list, object, text } from "../../../src/adopt/typescript/code";
import { type Context, constantNames } from "../../../src/adopt/typescript/constant-names";

const level = (name: string, approvals?: number): Code =>
  object([
    ["accessLevel", expression(`AccessLevel.${name}`)],
    ...(approvals === undefined ? [] : [["requiredApprovals", expression(String(approvals))] as const]),
  ]);
const group = (path: string, approvals?: number): Code =>
  object([
    ["group", text(path)],
    ...(approvals === undefined ? [] : [["requiredApprovals", expression(String(approvals))] as const]),
  ]);
const environment = (deployers: readonly Code[], rules: readonly Code[]): Code =>
  object([
    ["deployAccessLevels", list(deployers)],
    ["approvalRules", list(rules)],
  ]);

const DEPLOY: Context = { option: "deployAccessLevels" };
const APPROVE: Context = { option: "approvalRules" };
const PRODUCTION: Context = { option: "protectedEnvironments", key: "production" };

test.each<[string, Code, readonly Context[], readonly string[]]>([
  ["roles", list([level("MAINTAINER")]), [DEPLOY], ["MAINTAINERS"]],
  ["a role and a group", list([level("OWNER"), group("acme/ops")]), [DEPLOY], ["OWNERS_AND_OPS"]],
  ["approvers", list([level("MAINTAINER", 2)]), [APPROVE], ["APPROVED_BY_2_MAINTAINERS"]],
  ["one approval", list([level("MAINTAINER", 1)]), [APPROVE], ["APPROVED_BY_MAINTAINERS"]],
  ["approvals of a group", list([group("acme/ops", 2)]), [APPROVE], ["APPROVED_BY_2_OF_OPS"]],
  ["the only text", list([text("acme/ops")]), [{}], ["ONLY_OPS"]],
  ["two texts", list([text("acme/ops"), text("acme/qa")]), [{}], ["OPS_AND_QA"]],
  [
    "four names",
    list(["a", "b", "c", "d"].map((name) => group(name))),
    [DEPLOY],
    ["A_AND_3_OTHERS", "A_AND_B_AND_C_AND_D"],
  ],
  ["a value without a name", expression("true"), [DEPLOY], ["SHARED"]],
  ["an empty allowlist", object([["projects", list([])]]), [{ option: "allowlist" }], ["EMPTY_ALLOWLIST"]],
  [
    "an allowlist of two",
    object([["projects", list([text("acme/a"), text("acme/b")])]]),
    [{ option: "allowlist" }],
    ["ALLOWLIST_OF_A_AND_B"],
  ],
  [
    "an allowlist of three",
    object([["projects", list([text("acme/a"), text("acme/b"), text("acme/c")])]]),
    [{ option: "allowlist" }],
    ["SHARED_ALLOWLIST", "ALLOWLIST_OF_A_AND_2_OTHERS", "ALLOWLIST_OF_A_AND_B_AND_C"],
  ],
  [
    "an environment without an approval",
    environment([level("MAINTAINER")], []),
    [PRODUCTION],
    [
      "PRODUCTION_ENVIRONMENT",
      "PRODUCTION_BY_MAINTAINERS",
      "PRODUCTION_WITHOUT_APPROVAL",
      "PRODUCTION_BY_MAINTAINERS_WITHOUT_APPROVAL",
      "PRODUCTION_BY_MAINTAINERS_ENVIRONMENT",
    ],
  ],
])("a constant for %s is named after its value", (_, code, contexts, names) => {
  expect([...new Set(constantNames(code, contexts))]).toEqual(names);
});

describe("a value that several options share", () => {
  const code = list([level("MAINTAINER")]);

  test.each<[readonly Context[], string]>([
    [[DEPLOY, APPROVE, APPROVE], "APPROVED_BY_MAINTAINERS"],
    [[APPROVE, APPROVE, DEPLOY], "APPROVED_BY_MAINTAINERS"],
    [[APPROVE, DEPLOY, DEPLOY], "MAINTAINERS"],
    [[DEPLOY, DEPLOY, APPROVE], "MAINTAINERS"],
  ])(
    "a constant for a value of several options is named after the option that uses the value most: %j",
    (contexts, name) => {
      expect(constantNames(code, contexts)).toEqual([name]);
    },
  );

  test("if two options use a value equally often, the order of the options does not change the constant's name", () => {
    expect(constantNames(code, [DEPLOY, APPROVE])).toEqual(constantNames(code, [APPROVE, DEPLOY]));
  });
});

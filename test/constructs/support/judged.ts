import { Aspects, type TerraformStack } from "cdktf";
import {
  AccessLevel,
  type PolicyRule,
  ProjectPolicy,
  type ProjectPolicyConfig,
} from "../../../src/constructs";
import { type Said, saidBy, stackOf } from "./annotations";

export const project = "acme/web-shop";
export const production = {
  project,
  name: "production",
  deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
};

/** Checks a whole app against a policy, and returns the messages about one stack. */
export const judged = (
  rule: PolicyRule,
  declare: (stack: TerraformStack) => void,
  config: Partial<ProjectPolicyConfig> = {},
): Said =>
  saidBy((app) => {
    Aspects.of(app).add(new ProjectPolicy({ rules: [rule], ...config }));
    declare(stackOf(app, "shop"));
  });

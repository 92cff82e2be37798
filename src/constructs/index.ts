// The constructs that apps import: provider, resources, project settings, fleets and policies. At synthesis, constructs write
// configuration and send no requests.

export { DeclaredProject } from "./declared/declared-project";
export { type DeclaredResource, isKnown } from "./declared/declared-resource";
export { Fleet } from "./fleet/fleet";
export type { FleetBaseline, FleetConfig, FleetLayer, FleetLayerSettings, Unmanaged } from "./fleet/parts";
export type { FleetList, FleetSelection } from "./fleet/selection";
export * from "./generated";
export type { Waiver } from "./generated/waivers";
export { ImportBlocks } from "./import-blocks";
export type {
  AnyRule,
  ApprovalPolicy,
  AttributesOf,
  ChangeRule,
  ChangeViolation,
  Fix,
  ObjectPlace,
  PlannedChange,
  PlannedObject,
  PolicyLevel,
  PolicyPlan,
  PolicyRule,
  PolicyRules,
  ResourceType,
  Violation,
} from "./policy/policy-rule";
export { ProjectPolicy, type ProjectPolicyConfig } from "./policy/project-policy";
export {
  allowlistOwned,
  deployersAtLeast,
  type EnvironmentChoice,
  environmentProtected,
  inboundLimitOn,
  invitationLevelAtMost,
  invitationsExpire,
  requiredApprovals,
} from "./policy/rules";
export { ProjectSettings, type ProjectSettingsConfig } from "./project-settings";
export { StewardProvider } from "./steward-provider";

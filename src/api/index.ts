export { type Client, createClient } from "./client";
export * from "./errors";
export type { Group, GroupFilter, GroupProjectFilter } from "./groups";
export type { ClientEvent, EventListener } from "./http/events";
export type { CallOptions, Reference } from "./http/operation";
export type { RecordList } from "./http/record-list";
export type {
  AddedGroup,
  AddedProject,
  AllowlistGroup,
  AllowlistProject,
  JobTokenScope,
} from "./job-token-scope";
export type { ClientOptions } from "./options";
export type { Project, ProjectFilter, ProjectPermissions } from "./projects";
export type {
  ApprovalRule,
  DeployAccessLevel,
  ProtectedEnvironment,
  ProtectedEnvironmentUpdate,
  ProtectParameters,
} from "./protected-environments";
export type { CurrentUser, User, UserFilter } from "./users";

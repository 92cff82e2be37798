import type { createClient as makeClient } from "./client";

export type { ClientEvent, Clock, EventListener, RecordList } from "../http";
export type { CiTemplate, CiTemplateEntry } from "./areas/ci-templates";
export type {
  ContainerProtectionRule,
  ContainerProtectionRuleUpdate,
  NewContainerProtectionRule,
} from "./areas/container-protection-rules";
export type { EnterpriseUser, EnterpriseUserFilter } from "./areas/enterprise-users";
export type { Group, GroupFilter, GroupProjectFilter } from "./areas/groups";
export type {
  ChangedInvitation,
  Invitation,
  InvitationFilter,
  InvitationUpdate,
  NewInvitation,
} from "./areas/invitations";
export type {
  AddedGroup,
  AddedProject,
  AllowlistGroup,
  AllowlistProject,
  JobTokenScope,
} from "./areas/job-token-scope";
export type { Member, MemberFilter } from "./areas/members";
export type { PagesDeployment, PagesSettings, PagesUpdate } from "./areas/pages";
export type { Project, ProjectFilter, ProjectPermissions } from "./areas/projects";
export type {
  ApprovalRule,
  DeployAccessLevel,
  ProtectedEnvironment,
  ProtectedEnvironmentUpdate,
  ProtectParameters,
} from "./areas/protected-environments";
export type { CurrentUser, User, UserFilter } from "./areas/users";
export type { CallOptions, Reference } from "./calls/operation";
export type { Client } from "./client";
export { CLIENT_DEFAULTS } from "./defaults";
export * from "./errors";
export type { InvitationFailure, InvitationResult } from "./invitation-result";
export type { ClientOptions } from "./options";

/**
 * Makes a client of the whole interface. Nothing is sent before the first call, and what it takes is loaded only now:
 * the shapes of all answers would cost each process that asks nothing a third of its start. A client is meant to be
 * shared: its calls keep one limit of requests at the same time.
 *
 * @throws ConfigurationError when an option can't be used, or the address or the token is missing
 */
export const createClient: typeof makeClient = (options) => {
  const { createClient: make }: typeof import("./client") = require("./client");
  return make(options);
};

import type { createClient as makeClient } from "./client";

export type { ClientEvent, Clock, EventListener, RecordList } from "../http";
export type { CallOptions, Reference } from "./calls/operation";
export type { CiTemplate, CiTemplateEntry } from "./ci-templates";
export type { Client } from "./client";
export type {
  ContainerProtectionRule,
  ContainerProtectionRuleUpdate,
  NewContainerProtectionRule,
} from "./container-protection-rules";
export { CLIENT_DEFAULTS } from "./defaults";
export type { EnterpriseUser, EnterpriseUserFilter } from "./enterprise-users";
export * from "./errors";
export type { Group, GroupFilter, GroupProjectFilter } from "./groups";
export type { InvitationFailure, InvitationResult } from "./invitation-result";
export type {
  ChangedInvitation,
  Invitation,
  InvitationFilter,
  InvitationUpdate,
  NewInvitation,
} from "./invitations";
export type {
  AddedGroup,
  AddedProject,
  AllowlistGroup,
  AllowlistProject,
  JobTokenScope,
} from "./job-token-scope";
export type { Member, MemberFilter } from "./members";
export type { ClientOptions } from "./options";
export type { PagesDeployment, PagesSettings, PagesUpdate } from "./pages";
export type { Project, ProjectFilter, ProjectPermissions } from "./projects";
export type {
  ApprovalRule,
  DeployAccessLevel,
  ProtectedEnvironment,
  ProtectedEnvironmentUpdate,
  ProtectParameters,
} from "./protected-environments";
export type { CurrentUser, User, UserFilter } from "./users";

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

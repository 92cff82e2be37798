import { ciTemplate } from "./data-sources/ci-template";
import { ciTemplates } from "./data-sources/ci-templates";
import { containerProtectionRules } from "./data-sources/container-protection-rules";
import { currentUser } from "./data-sources/current-user";
import { enterpriseUsers } from "./data-sources/enterprise-users";
import { group } from "./data-sources/group";
import { groupInvitations } from "./data-sources/group-invitations";
import { jobTokenScopeData } from "./data-sources/job-token-scope";
import { pages } from "./data-sources/pages";
import { project } from "./data-sources/project";
import { projectInvitations } from "./data-sources/project-invitations";
import { projects } from "./data-sources/projects";
import { protectedEnvironmentData } from "./data-sources/protected-environment";
import { protectedEnvironments } from "./data-sources/protected-environments";
import type { DataSourceDefinition, ResourceDefinition } from "./define";
import { containerProtectionRule } from "./resources/container-protection-rule";
import { groupInvitation } from "./resources/group-invitation";
import { jobTokenAllowlist } from "./resources/job-token-allowlist";
import { jobTokenAllowlistGroup } from "./resources/job-token-allowlist-group";
import { jobTokenAllowlistProject } from "./resources/job-token-allowlist-project";
import { jobTokenScope } from "./resources/job-token-scope";
import { pagesSettings } from "./resources/pages-settings";
import { projectInvitation } from "./resources/project-invitation";
import { protectedEnvironment } from "./resources/protected-environment";

/** Every resource. What is registered here has its wire schema, construct, page and conformance tests. */
export const RESOURCES: readonly ResourceDefinition[] = [
  containerProtectionRule,
  groupInvitation,
  jobTokenAllowlist,
  jobTokenAllowlistGroup,
  jobTokenAllowlistProject,
  jobTokenScope,
  pagesSettings,
  projectInvitation,
  protectedEnvironment,
];

/** Every data source. */
export const DATA_SOURCES: readonly DataSourceDefinition[] = [
  ciTemplate,
  ciTemplates,
  containerProtectionRules,
  currentUser,
  enterpriseUsers,
  group,
  groupInvitations,
  jobTokenScopeData,
  pages,
  project,
  projectInvitations,
  projects,
  protectedEnvironmentData,
  protectedEnvironments,
];

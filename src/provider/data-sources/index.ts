import type { DataSourceDefinition } from "../define";
import { protectedEnvironment, protectedEnvironments } from "./environments";
import { groupInvitations, projectInvitations } from "./invitations";
import { containerProtectionRules, jobTokenScope, pages } from "./project-settings";
import { group, project, projects } from "./projects";
import { ciTemplate, ciTemplates } from "./templates";
import { currentUser, enterpriseUsers } from "./users";

export const DATA_SOURCES: readonly DataSourceDefinition[] = [
  ciTemplate,
  ciTemplates,
  containerProtectionRules,
  currentUser,
  enterpriseUsers,
  group,
  groupInvitations,
  jobTokenScope,
  pages,
  project,
  projectInvitations,
  projects,
  protectedEnvironment,
  protectedEnvironments,
];

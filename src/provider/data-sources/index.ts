// The list of all data sources of the provider. Each file in this folder defines several data sources.

import type { DataSourceDefinition } from "../define";
import { protectedEnvironment, protectedEnvironments } from "./environments";
import { ciTemplate, ciTemplates, currentUser, enterpriseUsers } from "./instance";
import {
  containerProtectionRules,
  groupInvitations,
  jobTokenScope,
  pages,
  projectInvitations,
} from "./project-settings";
import { group, project, projects } from "./projects";

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

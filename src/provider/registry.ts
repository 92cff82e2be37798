import { currentUser } from "./data-sources/current-user";
import { project } from "./data-sources/project";
import type { DataSourceDefinition, ResourceDefinition } from "./definition";
import { jobTokenAllowlist } from "./resources/job-token-allowlist";
import { jobTokenAllowlistProject } from "./resources/job-token-allowlist-project";
import { jobTokenScope } from "./resources/job-token-scope";
import { protectedEnvironment } from "./resources/protected-environment";

/** Every resource. What is registered here has its wire schema, construct, page and conformance tests. */
export const RESOURCES: readonly ResourceDefinition[] = [
  jobTokenAllowlist,
  jobTokenAllowlistProject,
  jobTokenScope,
  protectedEnvironment,
];

/** Every data source. */
export const DATA_SOURCES: readonly DataSourceDefinition[] = [currentUser, project];

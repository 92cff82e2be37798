import type { Move } from "../../framework";
import { projectContainerRepositoryProtection } from "./project-container-repository-protection";
import { projectJobTokenScope } from "./project-job-token-scope";
import { projectJobTokenScopes } from "./project-job-token-scopes";
import { projectPagesSettings } from "./project-pages-settings";
import { projectProtectedEnvironment } from "./project-protected-environment";

/** The provider whose resources can be moved to this one, whatever registry or mirror it was installed from. */
export const MOVED_FROM = "gitlabhq/gitlab";

/** The resources of that provider that have an equivalent here. */
export const MOVES: readonly Move[] = [
  projectContainerRepositoryProtection,
  projectJobTokenScope,
  projectJobTokenScopes,
  projectPagesSettings,
  projectProtectedEnvironment,
];

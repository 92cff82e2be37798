import type { Move } from "../../framework";
import { projectContainerRepositoryProtection } from "./project-container-repository-protection";
import { projectJobTokenScope } from "./project-job-token-scope";
import { projectJobTokenScopes } from "./project-job-token-scopes";
import { projectPagesSettings } from "./project-pages-settings";
import { projectProtectedEnvironment } from "./project-protected-environment";

/** Whose resources can be taken over, whatever registry or mirror they were installed from. */
export const MOVED_FROM = "gitlabhq/gitlab";

/** Every resource of that provider that has one of ours in its place. */
export const MOVES: readonly Move[] = [
  projectContainerRepositoryProtection,
  projectJobTokenScope,
  projectJobTokenScopes,
  projectPagesSettings,
  projectProtectedEnvironment,
];

import type { ListOperation, Operation } from "./calls/operation";
import { ciTemplateOperations } from "./ci-templates";
import { containerProtectionRuleOperations } from "./container-protection-rules";
import { enterpriseUserOperations } from "./enterprise-users";
import { groupOperations } from "./groups";
import { invitationOperations } from "./invitations";
import { jobTokenScopeOperations } from "./job-token-scope";
import { memberOperations } from "./members";
import { pagesOperations } from "./pages";
import { projectOperations } from "./projects";
import { protectedEnvironmentOperations } from "./protected-environments";
import { userOperations } from "./users";

/** Every operation of the client, as its area declares it. */
export const OPERATIONS: readonly (Operation | ListOperation)[] = [
  jobTokenScopeOperations,
  protectedEnvironmentOperations,
  pagesOperations,
  ciTemplateOperations,
  containerProtectionRuleOperations,
  invitationOperations.project,
  invitationOperations.group,
  enterpriseUserOperations,
  userOperations,
  projectOperations,
  groupOperations,
  memberOperations.project,
  memberOperations.group,
].flatMap((area): (Operation | ListOperation)[] => Object.values(area));

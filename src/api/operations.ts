import { ciTemplateOperations } from "./areas/ci-templates";
import { containerProtectionRuleOperations } from "./areas/container-protection-rules";
import { enterpriseUserOperations } from "./areas/enterprise-users";
import { groupOperations } from "./areas/groups";
import { invitationOperations } from "./areas/invitations";
import { jobTokenScopeOperations } from "./areas/job-token-scope";
import { memberOperations } from "./areas/members";
import { pagesOperations } from "./areas/pages";
import { projectOperations } from "./areas/projects";
import { protectedEnvironmentOperations } from "./areas/protected-environments";
import { userOperations } from "./areas/users";
import type { ListOperation, Operation } from "./calls/operation";

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

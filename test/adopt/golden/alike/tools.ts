import type { TerraformStack } from "cdktf";
import { AccessLevel, GroupInvitation, ProjectSettings } from "cdktf-provider-steward";
import { idOf } from "./baseline";

const TOOLS_PROJECTS = [
  "alike/tools/deploy",
  "alike/tools/tool-0",
  "alike/tools/tool-1",
  "alike/tools/tool-2",
];

export function declareTools(stack: TerraformStack, email: (name: string) => string): void {
  for (const project of TOOLS_PROJECTS) {
    new ProjectSettings(stack, idOf(project), { project, inboundEnabled: true });
  }

  new GroupInvitation(stack, "alike-tools-invitee-2", {
    group: "alike/tools",
    email: email("invitee-2"),
    accessLevel: AccessLevel.REPORTER,
  });
}

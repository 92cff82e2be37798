import type { TerraformStack } from "cdktf";
import { AccessLevel, GroupInvitation } from "cdktf-provider-steward";

export function declareOthers(stack: TerraformStack, email: (name: string) => string): void {
  new GroupInvitation(stack, "alike-invitee-1", {
    group: "alike",
    email: email("invitee-1"),
    accessLevel: AccessLevel.DEVELOPER,
  });
}

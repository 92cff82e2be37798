import type { InvitationFilter } from "../../api";
import { defineDataSource } from "../definition";
import { required } from "../schema";
import { filtersIn, recordsOf } from "./arguments";
import { invitationList } from "./invitations";

/** Open invitations to a group (specification, "Pending invitation"). */
export const groupInvitations = defineDataSource({
  type: "group_invitations",
  description: "The invitations to a group that nobody accepted yet. Needs the Owner role.",
  attributes: {
    group: required.reference("group", {
      description: "The group, by its numeric id or its full path.",
    }),
    ...invitationList,
  },

  async read(api, config) {
    const group = config["group"] ?? null;
    const list = api.groupInvitations.list(String(group), filtersIn<InvitationFilter>(config, "query"));
    return { ...config, invitations: await recordsOf("group", group, list) };
  },
});

import type { InvitationFilter } from "../../api";
import { defineDataSource } from "../definition";
import { required } from "../schema";
import { filtersIn, recordsOf } from "./arguments";
import { invitationList } from "./invitations";

/** Open invitations to a project (specification, "Pending invitation"). */
export const projectInvitations = defineDataSource({
  type: "project_invitations",
  description: "The invitations to a project that nobody accepted yet. Needs the Maintainer role.",
  attributes: {
    project: required.reference("project", {
      description: "The project, by its numeric id or its full path.",
    }),
    ...invitationList,
  },

  async read(api, config) {
    const project = config["project"] ?? null;
    const list = api.projectInvitations.list(String(project), filtersIn<InvitationFilter>(config, "query"));
    return { ...config, invitations: await recordsOf("project", project, list) };
  },
});

import type { InvitationFilter } from "../../api";
import { defineDataSource } from "../definition";
import { filtersIn, projectArgument, recordsOf } from "./arguments";
import { invitationList } from "./invitations";

/** Open invitations to a project (specification, "Pending invitation"). */
export const projectInvitations = defineDataSource({
  type: "project_invitations",
  description: "The invitations to a project that nobody accepted yet. Needs the Maintainer role.",
  attributes: {
    project: projectArgument,
    ...invitationList,
  },

  async read(api, config) {
    const project = config["project"] ?? null;
    const list = api.projectInvitations.list(String(project), filtersIn<InvitationFilter>(config, "query"));
    return { ...config, invitations: await recordsOf("project", project, list) };
  },
});

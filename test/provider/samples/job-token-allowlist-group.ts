import { GROUP, PROJECT } from "../support/world";
import type { Sample } from "./sample";

const scope = `/projects/${PROJECT.web}/job_token_scope`;
const route = "/projects/:id/job_token_scope/groups_allowlist";
const project = "acme/web";

export const jobTokenAllowlistGroup: Sample = {
  config: { project, target_group: "acme/platform" },
  variations: { project: "acme/docs", target_group: "acme/approvers" },
  byHand: {},
  deleteByHand: (http) => http("DELETE", `${scope}/groups_allowlist/${GROUP.platform}`),
  expectGone: async (http) => expect(await http("GET", `${scope}/groups_allowlist`)).toEqual([]),
  id: "1:12",
  identity: ["project", "target_group"],
  feature: {
    name: "job token allowlist",
    routes: ["job_token_scope/groups_allowlist", "job_token_scope/groups_allowlist/:target_group_id"],
  },
  writes: {
    create: { method: "POST", route },
    requestsOfCreate: 1,
    update: { none: "every change of it is another entry" },
    destroy: { method: "DELETE", route: `${route}/:target_group_id` },
  },
  looksBeforeCreate: 0,
};

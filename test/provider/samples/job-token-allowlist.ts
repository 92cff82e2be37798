import { PROJECT } from "../support/world";
import type { Sample } from "./sample";

const scope = `/projects/${PROJECT.web}/job_token_scope`;
const route = "/projects/:id/job_token_scope";
const project = "acme/web";

export const jobTokenAllowlist: Sample = {
  config: {
    project,
    target_projects: ["acme/tools", String(PROJECT.runner)],
    target_groups: ["acme/platform"],
  },
  variations: {
    project: "acme/hidden",
    target_projects: ["acme/docs", "acme/tools"],
    target_groups: [],
  },
  byHand: {
    target_projects: (http) => http("POST", `${scope}/allowlist`, { target_project_id: PROJECT.docs }),
    target_groups: (http) => http("POST", `${scope}/groups_allowlist`, { target_group_id: 13 }),
  },
  async expectGone(http) {
    expect(await http("GET", `${scope}/allowlist`)).toMatchObject([{ id: PROJECT.web }]);
    expect(await http("GET", `${scope}/groups_allowlist`)).toEqual([]);
  },
  id: "1",
  identity: ["project"],
  feature: { name: "job token allowlist", routes: ["job_token_scope/allowlist"] },
  writes: {
    create: { method: "POST", route: `${route}/allowlist` },
    requestsOfCreate: 2,
    update: { method: "DELETE", route: `${route}/allowlist/:target_project_id` },
    destroy: { method: "DELETE", route: `${route}/groups_allowlist/:target_group_id` },
  },
  // Its two lists.
  looksBeforeCreate: 2,
};

import { PROJECT } from "../samples/company";
import type { Sample } from "../samples/sample";

const route = "/projects/:id/job_token_scope";
const projects = "job_token_scope/allowlist";
const groups = "job_token_scope/groups_allowlist";

export const sample: Sample = {
  example: {
    id: "web-shop",
    config: {
      project: "acme/web-shop",
      target_projects: ["acme/deploy-tools", "acme/test-runner"],
      target_groups: ["acme/platform"],
    },
  },
  config: {
    project: "acme/web",
    target_projects: ["acme/tools", String(PROJECT.runner)],
    target_groups: ["acme/platform"],
  },
  variations: {
    project: "acme/hidden",
    target_projects: ["acme/docs", "acme/tools"],
    target_groups: [],
  },
  byHand: {
    target_projects: (http, at) => http("POST", `${at}/${projects}`, { target_project_id: PROJECT.docs }),
    target_groups: (http, at) => http("POST", `${at}/${groups}`, { target_group_id: 13 }),
  },
  deleteByHand: { impossible: "every project has its allowlists; emptied by hand, they differ" },
  // A project is always on its own allowlist.
  leaves: { [projects]: [{}], [groups]: [] },
  id: "1",
  identity: ["project"],
  feature: { name: "job token allowlist", routes: [projects] },
  writes: {
    create: { method: "POST", route: `${route}/allowlist` },
    requestsOfCreate: 2,
    update: { method: "DELETE", route: `${route}/allowlist/:target_project_id` },
    destroy: { method: "DELETE", route: `${route}/groups_allowlist/:target_group_id` },
  },
  // A create reads each of the two lists once.
  looksBeforeCreate: 2,
  many: { config: { target_projects: [], target_groups: [] }, reads: [projects, groups] },
};

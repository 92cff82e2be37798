import { PROJECT } from "../support/world";
import type { Sample } from "./sample";

const scope = `/projects/${PROJECT.web}/job_token_scope`;
const route = "/projects/:id/job_token_scope/allowlist";
const project = "acme/web";

export const jobTokenAllowlistProject: Sample = {
  config: { project, target_project: "acme/tools" },
  variations: { project: "acme/docs", target_project: "acme/runner" },
  byHand: {},
  deleteByHand: (http) => http("DELETE", `${scope}/allowlist/${PROJECT.tools}`),
  expectGone: async (http) =>
    expect(await http("GET", `${scope}/allowlist`)).toMatchObject([{ id: PROJECT.web }]),
  id: "1:2",
  identity: ["project", "target_project"],
  feature: {
    name: "job token allowlist",
    routes: ["job_token_scope/allowlist", "job_token_scope/allowlist/:target_project_id"],
  },
  writes: {
    create: { method: "POST", route },
    requestsOfCreate: 1,
    update: { none: "every change of it is another entry" },
    destroy: { method: "DELETE", route: `${route}/:target_project_id` },
  },
  looksBeforeCreate: 0,
};

import { CROWD, PROJECT } from "../samples/company";
import { inPages, type Sample } from "../samples/sample";

const list = "job_token_scope/allowlist";
const route = `/projects/:id/${list}`;
const project = "acme/web";

export const sample: Sample = {
  example: {
    id: "web-shop-from-deploy-tools",
    config: { project: "acme/web-shop", target_project: "acme/deploy-tools" },
  },
  config: { project, target_project: "acme/tools" },
  variations: { project: "acme/docs", target_project: "acme/runner" },
  byHand: {},
  deleteByHand: (http, at) => http("DELETE", `${at}/${list}/${PROJECT.tools}`),
  // A project is always on its own allowlist.
  leaves: { [list]: [{}] },
  id: "1:2",
  identity: ["project", "target_project"],
  feature: { name: "job token allowlist", routes: [list, `${list}/:target_project_id`] },
  writes: {
    create: { method: "POST", route },
    requestsOfCreate: 1,
    update: { none: "every change of it is another entry" },
    destroy: { method: "DELETE", route: `${route}/:target_project_id` },
  },
  looksBeforeCreate: 0,
  many: {
    config: (index) => ({ target_project: CROWD.project(index).path }),
    key: (index) => String(CROWD.project(index).id),
    make: (index) => [list, { target_project_id: CROWD.project(index).id }],
    fixture: (count) => ({
      job_token_scope: { projects: Array.from({ length: count }, (_, index) => CROWD.project(index).path) },
    }),
    list,
    pages: (count) => inPages(count + 1),
  },
  hasHabits: true,
};

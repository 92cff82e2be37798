import { CROWD, GROUP } from "../samples/company";
import { inPages, type Sample } from "../samples/sample";

const list = "job_token_scope/groups_allowlist";
const route = `/projects/:id/${list}`;
const project = "acme/web";

export const sample: Sample = {
  example: {
    id: "web-shop-from-platform",
    config: { project: "acme/web-shop", target_group: "acme/platform" },
  },
  config: { project, target_group: "acme/platform" },
  variations: { project: "acme/docs", target_group: "acme/approvers" },
  byHand: {},
  deleteByHand: (http, at) => http("DELETE", `${at}/${list}/${GROUP.platform}`),
  leaves: { [list]: [] },
  id: "1:12",
  identity: ["project", "target_group"],
  feature: { name: "job token allowlist", routes: [list, `${list}/:target_group_id`] },
  writes: {
    create: { method: "POST", route },
    requestsOfCreate: 1,
    update: { none: "every change of it is another entry" },
    destroy: { method: "DELETE", route: `${route}/:target_group_id` },
  },
  looksBeforeCreate: 0,
  many: {
    config: (index) => ({ target_group: CROWD.group(index).path }),
    key: (index) => String(CROWD.group(index).id),
    make: (index) => [list, { target_group_id: CROWD.group(index).id }],
    fixture: (count) => ({
      job_token_scope: { groups: Array.from({ length: count }, (_, index) => CROWD.group(index).path) },
    }),
    list,
    pages: inPages,
  },
  hasHabits: true,
};

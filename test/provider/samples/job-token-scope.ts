import { PROJECT } from "../support/world";
import type { Sample } from "./sample";

const scope = `/projects/${PROJECT.web}/job_token_scope`;
const route = "/projects/:id/job_token_scope";
const project = "acme/web";

export const jobTokenScope: Sample = {
  config: { project, inbound_enabled: true },
  variations: { project: "acme/tools", inbound_enabled: false },
  byHand: { inbound_enabled: (http) => http("PATCH", scope, { enabled: false }) },
  // The setting exists for every project, and stays as it was declared last.
  expectGone: async (http) => expect(await http("GET", scope)).toMatchObject({ inbound_enabled: true }),
  id: "1",
  identity: ["project"],
  feature: { name: "job token scope", routes: ["job_token_scope"] },
  writes: {
    create: { method: "PATCH", route },
    requestsOfCreate: 1,
    update: { method: "PATCH", route },
    destroy: { none: "the setting stays as it is" },
  },
  looksBeforeCreate: 0,
};

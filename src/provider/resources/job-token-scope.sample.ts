import type { Sample } from "../samples/sample";

const setting = "job_token_scope";
const route = `/projects/:id/${setting}`;

export const sample: Sample = {
  example: { id: "web-shop", config: { project: "acme/web-shop", inbound_enabled: true } },
  config: { project: "acme/web", inbound_enabled: true },
  variations: { project: "acme/tools", inbound_enabled: false },
  byHand: { inbound_enabled: (http, at) => http("PATCH", `${at}/${setting}`, { enabled: false }) },
  deleteByHand: { impossible: "every project has the setting, and nobody can delete it" },
  // Destroying the resource keeps the last declared value of the setting.
  leaves: { [setting]: { inbound_enabled: true } },
  id: "1",
  identity: ["project"],
  feature: { name: "job token scope", routes: [setting] },
  writes: {
    create: { method: "PATCH", route },
    requestsOfCreate: 1,
    update: { method: "PATCH", route },
    destroy: { none: "the setting stays as it is" },
  },
  looksBeforeCreate: 0,
  many: { config: { inbound_enabled: true }, reads: [setting] },
};

import { TOKEN } from "../samples/company";
import type { ByHand, Sample } from "../samples/sample";

const pages = "pages";
const route = `/projects/:id/${pages}`;

const patchPages =
  (change: object): ByHand =>
  (http, at) =>
    http("PATCH", `${at}/${pages}`, change, TOKEN.administrator);

export const sample: Sample = {
  example: {
    id: "web-shop",
    config: {
      project: "acme/web-shop",
      unique_domain_enabled: true,
      force_https: true,
      primary_domain: "shop.example.com",
      unpublish_on_destroy: false,
    },
  },
  config: {
    project: "acme/web",
    unique_domain_enabled: true,
    force_https: false,
    primary_domain: "web.example.com",
    unpublish_on_destroy: true,
  },
  variations: {
    project: "acme/docs",
    unique_domain_enabled: false,
    force_https: true,
    primary_domain: "",
    unpublish_on_destroy: false,
  },
  // With another project, the sample needs another domain, because a domain belongs to only one project.
  together: { project: { primary_domain: "docs.example.com" } },
  byHand: {
    unique_domain_enabled: patchPages({ pages_unique_domain_enabled: false }),
    force_https: patchPages({ pages_https_only: true }),
    primary_domain: patchPages({ pages_primary_domain: "https://www.example.com" }),
  },
  deleteByHand: { impossible: "every project has the settings where Pages is on" },
  // A destroy keeps the settings. The destroy deletes the published site, because the sample declares
  // `unpublish_on_destroy`.
  leaves: {
    [pages]: {
      is_unique_domain_enabled: true,
      deployments: [],
    },
  },
  id: "1",
  identity: ["project"],
  feature: { name: "Pages", routes: [pages] },
  writes: {
    create: { method: "PATCH", route },
    requestsOfCreate: 1,
    update: { method: "PATCH", route },
    destroy: { method: "DELETE", route },
  },
  appliedBy: TOKEN.administrator,
  looksBeforeCreate: 0,
  many: { config: { force_https: true }, reads: [pages] },
  container: {
    pages: { domains: ["web.example.com", "www.example.com"], deployments: [{}, { path_prefix: "next" }] },
  },
  texts: { primary_domain: ["web.example.com", "https://www.example.com", ""] },
  hasHabits: true,
};

import { type Http, PROJECT, TOKEN } from "../support/world";
import type { Sample } from "./sample";

const pages = `/projects/${PROJECT.web}/pages`;
const route = "/projects/:id/pages";

const patchPages = (change: object) => (http: Http) => http("PATCH", pages, change, TOKEN.administrator);
const project = "acme/web";

export const pagesSettings: Sample = {
  config: {
    project,
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
  // A domain belongs to one project.
  together: { project: { primary_domain: "docs.example.com" } },
  byHand: {
    unique_domain_enabled: patchPages({ pages_unique_domain_enabled: false }),
    force_https: patchPages({ pages_https_only: true }),
    primary_domain: patchPages({ pages_primary_domain: "https://www.example.com" }),
  },
  // The settings exist for every project; what was published is gone, as was declared.
  expectGone: async (http) =>
    expect(await http("GET", pages)).toMatchObject({
      is_unique_domain_enabled: true,
      primary_domain: expect.stringContaining("web.example.com"),
      deployments: [],
    }),
  id: "1",
  identity: ["project"],
  feature: { name: "Pages", routes: ["pages"] },
  writes: {
    create: { method: "PATCH", route },
    requestsOfCreate: 1,
    update: { method: "PATCH", route },
    destroy: { method: "DELETE", route },
  },
  appliedBy: TOKEN.administrator,
  looksBeforeCreate: 0,
};

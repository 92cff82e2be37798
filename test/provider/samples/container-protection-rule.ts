import { type Http, PROJECT } from "../support/world";
import type { Sample } from "./sample";

const rules = `/projects/${PROJECT.web}/registry/protection/repository/rules`;
const route = "/projects/:id/registry/protection/repository/rules";

const patchRule = (change: object) => async (http: Http) => {
  const [rule] = (await http("GET", rules)) as readonly { id: number }[];
  return http("PATCH", `${rules}/${rule!.id}`, change);
};

const project = "acme/web";

export const containerProtectionRule: Sample = {
  config: {
    project,
    repository_path_pattern: "acme/web/release*",
    minimum_access_level_for_push: "maintainer",
    minimum_access_level_for_delete: "owner",
  },
  variations: {
    project: "acme/docs",
    repository_path_pattern: "acme/web/*",
    minimum_access_level_for_push: "admin",
    minimum_access_level_for_delete: null,
  },
  byHand: {
    repository_path_pattern: patchRule({ repository_path_pattern: "acme/web/other" }),
    minimum_access_level_for_push: patchRule({ minimum_access_level_for_push: "" }),
    minimum_access_level_for_delete: patchRule({ minimum_access_level_for_delete: "admin" }),
  },
  async deleteByHand(http) {
    const [rule] = (await http("GET", rules)) as readonly { id: number }[];
    return http("DELETE", `${rules}/${rule!.id}`);
  },
  expectGone: async (http) => expect(await http("GET", rules)).toEqual([]),
  id: "1:1",
  identity: ["project", "repository_path_pattern"],
  feature: {
    name: "container registry",
    routes: [
      "registry/protection/repository/rules",
      "registry/protection/repository/rules/:protection_rule_id",
    ],
  },
  writes: {
    create: { method: "POST", route },
    requestsOfCreate: 1,
    update: { method: "PATCH", route: `${route}/:protection_rule_id` },
    destroy: { method: "DELETE", route: `${route}/:protection_rule_id` },
  },
  looksBeforeCreate: 0,
};

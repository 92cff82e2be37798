import type { ByHand, Sample } from "../samples/sample";

const list = "registry/protection/repository/rules";
const route = `/projects/:id/${list}`;

const firstRule = async (...[http, at]: Parameters<ByHand>): Promise<string> => {
  const [rule] = (await http("GET", `${at}/${list}`)) as readonly { id: number }[];
  return `${at}/${list}/${rule!.id}`;
};

const patchRule =
  (change: object): ByHand =>
  async (http, at) =>
    http("PATCH", await firstRule(http, at), change);

const rule = (index: number) => ({
  repository_path_pattern: `acme/crowded/${index}`,
  minimum_access_level_for_push: "owner",
});

export const sample: Sample = {
  example: {
    id: "releases",
    config: {
      project: "acme/web-shop",
      repository_path_pattern: "acme/web-shop/release*",
      minimum_access_level_for_push: "maintainer",
      minimum_access_level_for_delete: "owner",
    },
  },
  config: {
    project: "acme/web",
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
  deleteByHand: async (http, at) => http("DELETE", await firstRule(http, at)),
  leaves: { [list]: [] },
  id: "1:1",
  identity: ["project", "repository_path_pattern"],
  feature: { name: "container registry", routes: [list, `${list}/:protection_rule_id`] },
  writes: {
    create: { method: "POST", route },
    requestsOfCreate: 1,
    update: { method: "PATCH", route: `${route}/:protection_rule_id` },
    destroy: { method: "DELETE", route: `${route}/:protection_rule_id` },
  },
  looksBeforeCreate: 0,
  many: {
    config: rule,
    key: (_, number) => String(number),
    make: (index) => [list, rule(index)],
    fixture: (count) => ({ container_rules: Array.from({ length: count }, (_, index) => rule(index)) }),
    list,
    // The service returns the whole list in one response.
    pages: () => 1,
  },
  texts: { repository_path_pattern: ["acme/web/release*", "acme/web/*", "*", "acme/web/a-b_c.d"] },
};

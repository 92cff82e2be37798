import { PROJECT, USER } from "../support/world";
import type { Sample } from "./sample";

const environments = `/projects/${PROJECT.web}/protected_environments`;
const route = "/projects/:id/protected_environments";

interface Environment {
  readonly deploy_access_levels: readonly { id: number; user_id: number | null }[];
  readonly approval_rules: readonly { id: number; group_id: number | null }[];
}

const project = "acme/web";

export const protectedEnvironment: Sample = {
  config: {
    project,
    name: "production",
    deploy_access_levels: [{ user: "devon" }, { access_level: 40 }],
    approval_rules: [{ group: "acme/approvers", required_approvals: 2, group_inheritance_type: 1 }],
  },
  variations: {
    // The same users and groups have access there too.
    project: "acme/web-two",
    name: "staging",
    deploy_access_levels: [{ group: "acme/platform" }, { access_level: 40 }],
    approval_rules: [{ group: "acme/approvers", required_approvals: 3 }],
  },
  byHand: {
    async deploy_access_levels(http) {
      const { deploy_access_levels: levels } = (await http(
        "GET",
        `${environments}/production`,
      )) as Environment;
      const { id } = levels.find((level) => level.user_id === USER.devon)!;
      await http("PUT", `${environments}/production`, {
        deploy_access_levels: [{ id, _destroy: true }, { access_level: 30 }],
      });
    },
    async approval_rules(http) {
      const { approval_rules: rules } = (await http("GET", `${environments}/production`)) as Environment;
      await http("PUT", `${environments}/production`, {
        approval_rules: [{ id: rules[0]!.id, required_approvals: 1 }],
      });
    },
  },
  deleteByHand: (http) => http("DELETE", `${environments}/production`),
  expectGone: async (http) => expect(await http("GET", environments)).toEqual([]),
  id: "1:production",
  identity: ["project", "name"],
  feature: {
    name: "protected environments",
    routes: ["protected_environments", "protected_environments/:name"],
  },
  writes: {
    create: { method: "POST", route },
    requestsOfCreate: 1,
    update: { method: "PUT", route: `${route}/:name` },
    destroy: { method: "DELETE", route: `${route}/:name` },
  },
  looksBeforeCreate: 0,
};

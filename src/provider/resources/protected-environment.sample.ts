import { USER } from "../samples/company";
import { inPages, type Sample } from "../samples/sample";

const list = "protected_environments";
const route = `/projects/:id/${list}`;

interface Environment {
  readonly deploy_access_levels: readonly { id: number; user_id: number | null }[];
  readonly approval_rules: readonly { id: number; group_id: number | null }[];
}

const environment = (index: number) => ({
  name: `env-${index}`,
  deploy_access_levels: [{ access_level: 40 }],
});

export const sample: Sample = {
  example: {
    id: "production",
    config: {
      project: "acme/web-shop",
      name: "production",
      deploy_access_levels: [{ access_level: 40 }, { group: "acme/release-managers" }],
      approval_rules: [{ user: "devon", required_approvals: 2 }],
    },
  },
  config: {
    project: "acme/web",
    name: "production",
    deploy_access_levels: [{ user: "devon" }, { access_level: 40 }],
    approval_rules: [{ group: "acme/approvers", required_approvals: 2, group_inheritance_type: 1 }],
  },
  variations: {
    // In this project, the same users and groups have access, so the entries stay valid.
    project: "acme/web-two",
    name: "staging",
    deploy_access_levels: [{ group: "acme/platform" }, { access_level: 40 }],
    approval_rules: [{ group: "acme/approvers", required_approvals: 3 }],
  },
  byHand: {
    async deploy_access_levels(http, at) {
      const live = (await http("GET", `${at}/${list}/production`)) as Environment;
      const { id } = live.deploy_access_levels.find((level) => level.user_id === USER.devon)!;
      await http("PUT", `${at}/${list}/production`, {
        deploy_access_levels: [{ id, _destroy: true }, { access_level: 30 }],
      });
    },
    async approval_rules(http, at) {
      const { approval_rules: rules } = (await http("GET", `${at}/${list}/production`)) as Environment;
      await http("PUT", `${at}/${list}/production`, {
        approval_rules: [{ id: rules[0]!.id, required_approvals: 1 }],
      });
    },
  },
  deleteByHand: (http, at) => http("DELETE", `${at}/${list}/production`),
  leaves: { [list]: [] },
  id: "1:production",
  identity: ["project", "name"],
  feature: { name: "protected environments", routes: [list, `${list}/:name`] },
  writes: {
    create: { method: "POST", route },
    requestsOfCreate: 1,
    update: { method: "PUT", route: `${route}/:name` },
    destroy: { method: "DELETE", route: `${route}/:name` },
  },
  looksBeforeCreate: 0,
  many: {
    config: environment,
    key: (index) => `env-${index}`,
    make: (index) => [list, environment(index)],
    fixture: (count) => ({
      protected_environments: Array.from({ length: count }, (_, index) => environment(index)),
    }),
    list,
    single: `${list}/:name`,
    pages: inPages,
  },
};

import type { Report } from "../../../src/cli/document/model";
import { PROVIDER_SOURCE } from "../../../src/provider";
import { usePlace } from "../support/place";

// Terraform and OpenTofu start one process of the provider for each provider configuration. If two configurations own the
// same object, no process can see this. Only the whole plan shows both owners.

const place = usePlace("all");

interface Planned {
  readonly type: string;
  /** The provider configuration that owns the object: `steward` or `steward.second`. */
  readonly by: string;
  readonly before?: object;
  readonly after?: object;
}

/**
 * Returns the planned object that a text describes: `whole CONFIGURATION PROJECT TARGET`, `entry …` or `env …`. If the text
 * begins with `held ID`, the object is in the state and stays. If it begins with `destroyed ID`, the plan destroys the
 * object.
 */
function plannedOf(told: string): Planned {
  const [, how, id = "", kind, by, project, name] =
    /^(?:(held|destroyed) (\S+) )?(\w+) (\w+) (\S+) ?(\S*)$/.exec(told)!;
  const kinds: Readonly<Record<string, readonly [type: string, after: object]>> = {
    whole: ["job_token_allowlist", { target_projects: name === "" ? [] : [name], target_groups: null }],
    entry: ["job_token_allowlist_project", { target_project: name }],
    env: ["protected_environment", { name, deploy_access_levels: [{ access_level: 40 }] }],
  };
  const [type, rest] = kinds[kind!]!;
  const after = { project, ...rest };
  const one = { type, by: by === "second" ? "steward.second" : "steward" };
  if (how === undefined) return { ...one, after };
  const before = { ...after, id };
  return how === "held" ? { ...one, before, after: before } : { ...one, before };
}

function actionOf(before: object | null, after: object | null): "create" | "delete" | "no-op" {
  if (before === null) return "create";
  return after === null ? "delete" : "no-op";
}

const planOf = (planned: readonly Planned[], services: readonly (string | undefined)[]) => ({
  format_version: "1.2",
  planned_values: {},
  resource_changes: planned.map(({ type, before = null, after = null }, index) => ({
    ...{
      address: `steward_${type}.at${index}`,
      mode: "managed",
      type: `steward_${type}`,
      name: `at${index}`,
    },
    provider_name: PROVIDER_SOURCE,
    change: {
      actions: [actionOf(before, after)],
      ...{ before, after, after_unknown: before === null ? { id: true } : {} },
    },
  })),
  configuration: {
    provider_config: Object.fromEntries(
      ["steward", "steward.second"].map((key, index) => [
        key,
        {
          ...{ name: "steward", full_name: PROVIDER_SOURCE },
          ...(services[index] !== undefined && {
            expressions: { base_url: { constant_value: services[index] } },
          }),
        },
      ]),
    ),
    root_module: {
      resources: planned.flatMap(({ type, by, after }, index) =>
        after === undefined
          ? []
          : [{ address: `steward_${type}.at${index}`, provider_config_key: by, expressions: {} }],
      ),
    },
  },
});

test.each<[title: string, planned: string, codes: string, services?: readonly string[]]>([
  ["one environment, by path", "env first acme/web p, env second Acme/Web p", "declared_twice"],
  [
    "one environment, by number and by a path whose number the state has",
    "held 2:p env first acme/web p, env second 2 p",
    "declared_twice",
  ],
  [
    "one environment, by number and by path",
    "env first acme/web p, env second 2 p",
    "references_not_comparable",
  ],
  ["a whole list and an entry", "whole first 2 3, entry second 2 4", "declared_twice"],
  [
    "a whole list and an entry, by path and by number",
    "whole first acme/web, entry second 2 4",
    "references_not_comparable",
  ],
  [
    "two entries, whose targets are named by number and by path",
    "entry first 2 4, entry second 2 acme/x",
    "references_not_comparable",
  ],
  [
    "a whole list that is destroyed, and an entry of it",
    "destroyed 2 whole first 2 3, entry second 2 3",
    "destroyed_and_declared",
  ],
  [
    "an entry that is destroyed, and a whole list with it",
    "destroyed 2:3 entry first 2 3, whole second 2 3",
    "destroyed_and_declared",
  ],
  [
    "an entry that is destroyed, and a whole list without it",
    "destroyed 2:3 entry first 2 3, whole second 2 4",
    "",
  ],
  ["what one configuration names by number and by path", "env first acme/web p, env first 2 p", ""],
  ["environments of two names", "env first acme/web p, env second acme/web q", ""],
  [
    "one environment of two services",
    "env first 2 p, env second 2 p",
    "",
    ["https://a.example", "https://b.example"],
  ],
  [
    "one environment of two spellings of a service",
    "env first 2 p, env second 2 p",
    "declared_twice",
    ["https://a.example", "https://A.example/api/v4/"],
  ],
])(
  "report checks whether two provider configurations of a Terraform plan own the same settings: %s",
  async (_title, planned, codes, services = []) => {
    place.write("plan.json", planOf(planned.split(", ").map(plannedOf), services));
    const { code } = await place.run(["report", "--plan-json", "plan.json", "--report", "r.json"]);
    const { stacks } = JSON.parse(place.read("r.json")) as Report;
    const errors = stacks
      .flatMap(({ diagnostics, objects }) => [...diagnostics, ...objects.flatMap((one) => one.diagnostics)])
      .map((one) => one.code);
    expect([code, errors.join()]).toEqual([codes === "" ? 0 : 1, codes]);
  },
);

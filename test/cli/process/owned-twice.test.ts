import type { Report } from "../../../src/cli/document/model";
import { PROVIDER_SOURCE } from "../../../src/provider";
import { usePlace } from "../support/place";

// Terraform and OpenTofu start a process for each provider configuration: what two of them own, only the plan as a whole shows.

const place = usePlace("all");

interface Planned {
  readonly type: string;
  /** The provider configuration: `steward` or `steward.second`. */
  readonly by: string;
  readonly before?: object;
  readonly after?: object;
}

const whole = (by: string, project: string, ...targets: readonly string[]): Planned => ({
  type: "job_token_allowlist",
  by,
  after: { project, target_projects: targets, target_groups: null },
});
const entry = (by: string, project: string, target_project: string): Planned => ({
  type: "job_token_allowlist_project",
  by,
  after: { project, target_project },
});
const environment = (by: string, project: string, name: string): Planned => ({
  type: "protected_environment",
  by,
  after: { project, name, deploy_access_levels: [{ access_level: 40 }] },
});
/** An object of the state, which has an id. */
const held = ({ after, ...one }: Planned, id: string): Planned => ({
  ...one,
  before: { ...after, id },
  after: { ...after, id },
});
const destroyed = ({ after, ...one }: Planned, id: string): Planned => ({ ...one, before: { ...after, id } });

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
      actions: [before === null ? "create" : after === null ? "delete" : "no-op"],
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

test.each<[string, readonly Planned[], readonly string[], (readonly string[])?]>([
  [
    "one environment, by path",
    [environment("steward", "acme/web", "p"), environment("steward.second", "Acme/Web", "p")],
    ["declared_twice"],
  ],
  [
    "one environment, by number and by a path whose number the state has",
    [held(environment("steward", "acme/web", "p"), "2:p"), environment("steward.second", "2", "p")],
    ["declared_twice"],
  ],
  [
    "one environment, by number and by path",
    [environment("steward", "acme/web", "p"), environment("steward.second", "2", "p")],
    ["references_not_comparable"],
  ],
  [
    "a whole list and an entry",
    [whole("steward", "2", "3"), entry("steward.second", "2", "4")],
    ["declared_twice"],
  ],
  [
    "a whole list and an entry, by path and by number",
    [whole("steward", "acme/web"), entry("steward.second", "2", "4")],
    ["references_not_comparable"],
  ],
  [
    "two entries, whose targets are named by number and by path",
    [entry("steward", "2", "4"), entry("steward.second", "2", "acme/x")],
    ["references_not_comparable"],
  ],
  [
    "a whole list that is destroyed, and an entry of it",
    [destroyed(whole("steward", "2", "3"), "2"), entry("steward.second", "2", "3")],
    ["destroyed_and_declared"],
  ],
  [
    "an entry that is destroyed, and a whole list with it",
    [destroyed(entry("steward", "2", "3"), "2:3"), whole("steward.second", "2", "3")],
    ["destroyed_and_declared"],
  ],
  [
    "an entry that is destroyed, and a whole list without it",
    [destroyed(entry("steward", "2", "3"), "2:3"), whole("steward.second", "2", "4")],
    [],
  ],
  [
    "what one configuration names by number and by path",
    [environment("steward", "acme/web", "p"), environment("steward", "2", "p")],
    [],
  ],
  [
    "environments of two names",
    [environment("steward", "acme/web", "p"), environment("steward.second", "acme/web", "q")],
    [],
  ],
  [
    "one environment of two services",
    [environment("steward", "2", "p"), environment("steward.second", "2", "p")],
    [],
    ["https://a.example", "https://b.example"],
  ],
  [
    "one environment of two spellings of a service",
    [environment("steward", "2", "p"), environment("steward.second", "2", "p")],
    ["declared_twice"],
    ["https://a.example", "https://A.example/api/v4/"],
  ],
])(
  "%s: what two provider configurations own is compared in a plan of Terraform",
  async (_title, planned, codes, services = []) => {
    place.write("plan.json", planOf(planned, services));
    const { code } = await place.run(["report", "--plan-json", "plan.json", "--report", "r.json"]);
    const { stacks } = JSON.parse(place.read("r.json")) as Report;
    const errors = stacks
      .flatMap(({ diagnostics, objects }) => [...diagnostics, ...objects.flatMap((one) => one.diagnostics)])
      .map((one) => one.code);
    expect([code, errors]).toEqual([codes.length > 0 ? 1 : 0, codes]);
  },
);

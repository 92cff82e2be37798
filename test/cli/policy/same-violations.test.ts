import { ownAttributes } from "../../../src/cli/policy/open-policies";
import { Policies } from "../../../src/cli/policy/policies";
import { readRules } from "../../../src/cli/policy/rule";
import { withRecordedContainers } from "../../../src/cli/stacks/plan-file";
import { ownProvider, schemaOf } from "../../../src/cli/stacks/providers";
import type { Diagnostic } from "../../../src/diagnostics";
import {
  apply as applyStacks,
  type PlanMode,
  planJson,
  plan as planStacks,
  readPlanJson,
} from "../../../src/engine";
import { stringifyJson } from "../../../src/json";
import { CONFIGURATION, usePlace } from "../support/place";

/** A copy of what a rule can read, with the errors in place of what it can't. */
function dump(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.keys(value).map((key) => {
    try {
      return [key, dump(value[key as never])];
    } catch (problem) {
      return [key, String(problem)];
    }
  });
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

/** Plans of other programs know neither constructs nor the paths of all projects. */
const withoutPlace = (object: unknown) => {
  const { construct, file, line, project, url, ...rest } = dump(object) as Record<string, unknown>;
  return rest;
};

/** Rules that report all that they see. */
const RULES = readRules(
  [
    {
      name: "changes",
      why: "Because.",
      checkChange(
        change: object,
        plan: { [name: string]: unknown; changes: { address: string }[]; objects: { address: string }[] },
      ) {
        const { mode, complete, counts } = plan;
        const objects = plan.objects.map(withoutPlace).sort(byAddress);
        const changes = plan.changes.map(({ address }) => address);
        return [
          {
            what: JSON.stringify({ change: withoutPlace(change), mode, complete, counts, changes, objects }),
            fix: "",
          },
        ];
      },
    },
    {
      name: "projects",
      why: "Because.",
      check: ({ resources }: { resources: { type: string; attributes: object }[] }) => [
        { what: JSON.stringify(resources.map(({ type, attributes }) => [type, attributes])), fix: "" },
      ],
    },
  ],
  "rules.js",
);

const byAddress = (one: { address?: unknown }, other: { address?: unknown }) =>
  String(one.address) < String(other.address) ? -1 : 1;

const place = usePlace("all");

type Configuration = Record<string, Record<string, Record<string, Record<string, unknown>>>>;

/** The configuration, changed. */
const configured = (change: (json: Configuration) => void): void => {
  const json = structuredClone(CONFIGURATION) as unknown as Configuration;
  change(json);
  place.write("main.tf.json", json);
};

interface Seen {
  readonly rule: string | undefined;
  readonly address: string | undefined;
  readonly what: { readonly change?: { readonly actions: readonly string[] } };
}

/** What the rules saw, by their violations. */
const seen = (violations: readonly Diagnostic[]): Seen[] =>
  violations
    .map(({ rule, address, detail }) => ({
      rule,
      address,
      what: JSON.parse(/: (\{.*\}|\[.*\]) Because\./s.exec(detail)![1]!),
    }))
    .sort((one, other) => `${one.rule} ${one.address}`.localeCompare(`${other.rule} ${other.address}`));

const options = () => ({ env: place.env, folder: place.folder, providers: [ownProvider(place)] });

/** What the rules see of a plan, which they see in the same way in the plan as Terraform would print it. */
async function seenInBoth(mode: PlanMode = "normal", ...targets: string[]): Promise<Seen[]> {
  const { stacks } = await planStacks({ configuration: "." }, { ...options(), mode, targets }).result;
  const { plan } = stacks[0]!;
  const text = stringifyJson(planJson(plan!, schemaOf()));
  const read = withRecordedContainers(readPlanJson(text, "plan.json", ownAttributes()));
  const policies = new Policies(RULES, ownAttributes());
  const found = seen(policies.violations(plan!, undefined));
  expect(seen(policies.violations(read, undefined))).toEqual(found);
  return found;
}

const apply = async () =>
  expect((await applyStacks({ configuration: "." }, options()).result).succeeded).toBe(true);

/** Actions by address. */
const actions = (found: readonly Seen[]) =>
  Object.fromEntries(
    found
      .filter(({ rule }) => rule === "changes")
      .map(({ address, what }) => [address, what.change?.actions.join()]),
  );

test("rules see the same in a plan of the embedded engine and in the plan as JSON", async () => {
  const limit = "steward_job_token_scope.limit";
  const callers = "steward_job_token_allowlist.callers";
  const production = "steward_protected_environment.production";

  const created = await seenInBoth();
  expect(actions(created)).toEqual({ [limit]: "create", [callers]: "create", [production]: "create" });
  expect(JSON.stringify(created)).toContain(
    "HiddenValue: required_approval_count of steward_protected_environment.production is known only after apply",
  );
  await apply();

  expect(await seenInBoth()).toEqual([expect.objectContaining({ rule: "projects" })]);

  configured(({ resource }) => {
    resource!["steward_job_token_scope"]!["limit"]!["inbound_enabled"] = false;
    Reflect.deleteProperty(resource!["steward_job_token_allowlist"]!, "callers");
  });
  const updated = await seenInBoth();
  expect(actions(updated)).toEqual({ [limit]: "update", [callers]: "delete" });
  expect(updated).toContainEqual(
    expect.objectContaining({
      what: expect.objectContaining({
        objects: [
          expect.objectContaining({ address: limit }),
          expect.objectContaining({ address: production }),
        ],
        mode: "normal",
      }),
    }),
  );

  // An object outside of the targets stays as it is.
  const targeted = await seenInBoth("normal", limit);
  expect(actions(targeted)).toEqual({ [limit]: "update" });
  expect(JSON.stringify(targeted)).toContain(`"complete":false`);
  expect(targeted).toContainEqual(
    expect.objectContaining({
      what: expect.objectContaining({
        objects: [callers, limit, production].map((address) => expect.objectContaining({ address })),
      }),
    }),
  );

  configured((json) => {
    Object.assign(json, { output: {} });
    const environments = json["resource"]!["steward_protected_environment"]!;
    environments["prod"] = environments["production"]!;
    Reflect.deleteProperty(environments, "production");
  });
  expect(actions(await seenInBoth())).toEqual({ "steward_protected_environment.prod": "no-op" });

  configured((json) => {
    Reflect.deleteProperty(json["resource"]!, "steward_protected_environment");
    Object.assign(json, {
      removed: [{ from: "steward_protected_environment.production", lifecycle: { destroy: false } }],
      output: {},
    });
  });
  const forgotten = await seenInBoth();
  expect(actions(forgotten)).toEqual({ [production]: "forget" });
  expect(JSON.stringify(forgotten)).not.toContain(`"objects":[{"address":"${production}"`);
  await apply();

  configured((json) => {
    Object.assign(json, { import: [{ to: production, id: "acme/shop:production" }] });
  });
  expect(actions(await seenInBoth())).toEqual({ [production]: "no-op" });
  await apply();

  configured(() => undefined);
  const destroyed = await seenInBoth("destroy");
  expect(actions(destroyed)).toEqual({ [limit]: "delete", [callers]: "delete", [production]: "delete" });
  expect(destroyed).toContainEqual(
    expect.objectContaining({ what: expect.objectContaining({ mode: "destroy", objects: [] }) }),
  );

  await place.byHand("PATCH", "/projects/1/job_token_scope", { enabled: false });
  expect(await seenInBoth("refresh-only")).toEqual([]);
});

test("rules read no sensitive value in either plan", async () => {
  const approvals: object[] = [];
  const declare = () =>
    configured((json) => {
      Object.assign(json, { variable: { name: { type: "string", sensitive: true, default: "hush" } } });
      json["resource"]!["steward_protected_environment"]!["production"]!["name"] = "${var.name}";
      json["resource"]!["steward_protected_environment"]!["production"]!["approval_rules"] = approvals;
    });
  declare();
  await apply();
  approvals.push({ user: "maya" });
  declare();
  const found = JSON.stringify(await seenInBoth());
  expect(found).not.toContain("hush");
  expect(found).toContain("HiddenValue: name of steward_protected_environment.production is sensitive");
  expect(found).toContain("HiddenValue: id of steward_protected_environment.production is sensitive");
});

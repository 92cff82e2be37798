import type { TerraformStack } from "cdktf";
import fc from "fast-check";
import {
  AccessLevel,
  Fleet,
  type FleetBaseline,
  JobTokenAllowlistProject,
  JobTokenScope,
  ProtectedEnvironment,
} from "../../../src/constructs";
import { runs, seed } from "../../support/capabilities";
import { FleetPlace } from "../support/fleet-place";

// The options --project, --wave, --shard and --target split a plan into several runs. The law: Steward refuses a split, or
// the split has the same result as a single run, in the settings and in the state. The test observes only commands, states
// and the service.

jest.setTimeout(1_800_000);

const PROJECTS = ["a", "b", "c"] as const;
type ProjectName = (typeof PROJECTS)[number];

/** A declaration outside of the fleet. */
interface Single {
  readonly kind: "scope" | "entry" | "environment";
  readonly at: ProjectName;
  /**
   * The project whose scope this declaration references. Undefined if the declaration gives the path of its project as a
   * text.
   */
  readonly refersTo?: ProjectName | undefined;
  readonly dependsOnFleet: boolean;
}

interface Declared {
  readonly fleet:
    | { readonly id: string; readonly onLeave: "keep" | "reset"; readonly parts: readonly Part[] }
    | undefined;
  readonly singles: readonly Single[];
}

type Part = "scope" | "production" | "staging" | "rule" | "pages";

interface World {
  readonly before: Declared;
  readonly after: Declared;
  readonly leaves: readonly ProjectName[];
  readonly joins: readonly ProjectName[];
  readonly parts: readonly (readonly string[])[];
}

const part = fc.constantFrom<Part>("scope", "production", "staging", "rule", "pages");
const single: fc.Arbitrary<Single> = fc.record({
  kind: fc.constantFrom("scope", "entry", "environment"),
  at: fc.constantFrom(...PROJECTS),
  refersTo: fc.option(fc.constantFrom(...PROJECTS), { nil: undefined }),
  dependsOnFleet: fc.boolean(),
});
const declared: fc.Arbitrary<Declared> = fc.record({
  fleet: fc.option(
    fc.record({
      id: fc.constantFrom("acme", "renamed"),
      onLeave: fc.constantFrom("keep", "reset"),
      parts: fc.uniqueArray(part, { minLength: 1 }),
    }),
    { nil: undefined, freq: 6 },
  ),
  singles: fc.uniqueArray(single, { maxLength: 3, selector: ({ kind, at }) => `${kind} ${at}` }),
});
const projects = (max: number) => fc.uniqueArray(fc.constantFrom(...PROJECTS), { maxLength: max });
const someRun: fc.Arbitrary<readonly string[]> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .uniqueArray(fc.constantFrom(...PROJECTS), { minLength: 1, maxLength: 2 })
      .map((names) => names.flatMap((name) => ["--project", `acme/${name}`])),
  },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 2 }).map((size) => ["--wave", String(size)]) },
  { weight: 2, arbitrary: fc.constantFrom(...["1/2", "2/2"]).map((shard) => ["--shard", shard]) },
  { weight: 2, arbitrary: fc.nat(20).map((number) => ["--target", String(number)]) },
);
const world: fc.Arbitrary<World> = fc.record({
  before: declared,
  after: declared,
  leaves: projects(1),
  joins: projects(1),
  parts: fc.array(someRun, { minLength: 1, maxLength: 4 }),
});

const DEPLOYERS = { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] };

function build({ fleet, singles }: Declared) {
  return (stack: TerraformStack): void => {
    const has = (one: Part) => fleet?.parts.includes(one) === true;
    const environments = {
      ...(has("production") && { production: DEPLOYERS }),
      ...(has("staging") && { staging: DEPLOYERS }),
    };
    const baseline: FleetBaseline = {
      ...(has("scope") && { inboundEnabled: true }),
      ...(Object.keys(environments).length > 0 && { protectedEnvironments: environments }),
      ...(has("rule") && {
        containerProtectionRules: { "{project}/*": { minimumAccessLevelForPush: "maintainer" } },
      }),
      ...(has("pages") && { pages: { forceHttps: false } }),
    };
    const fleets =
      fleet === undefined
        ? []
        : [
            new Fleet(stack, fleet.id, {
              ...{
                projects: { group: "acme", topics: ["service"], allowEmpty: true },
                baseline,
                onLeave: fleet.onLeave,
              },
            }),
          ];
    const scopes = new Map<string, JobTokenScope>();
    for (const { kind, at, refersTo, dependsOnFleet } of singles) {
      const scope = refersTo === undefined ? undefined : scopes.get(refersTo);
      const dependsOn = dependsOnFleet
        ? fleets
            .flatMap((one) => one.node.findAll())
            .filter((one) => "terraformResourceType" in one && one.node.id !== "list")
        : [];
      const more = dependsOn.length > 0 ? { dependsOn: dependsOn as never } : {};
      // If the fleet declares the scopes, a separate declaration of a scope would be the second owner.
      const isOwned = (one: Part) => has(one);
      if (kind === "scope" && !isOwned("scope"))
        scopes.set(
          at,
          new JobTokenScope(stack, `scope-${at}`, { project: `acme/${at}`, inboundEnabled: true, ...more }),
        );
      if (kind === "environment")
        new ProtectedEnvironment(stack, `review-${at}`, {
          project: `acme/${at}`,
          name: "review",
          ...DEPLOYERS,
          ...more,
        });
      if (kind === "entry") {
        const target =
          refersTo === undefined || refersTo === at ? PROJECTS.find((one) => one !== at)! : refersTo;
        new JobTokenAllowlistProject(stack, `entry-${at}`, {
          project: `acme/${at}`,
          targetProject: scope !== undefined && refersTo !== at ? scope.id : `acme/${target}`,
          ...more,
        });
      }
    }
  };
}

/** Returns the settings on the service and the objects in the state, without values that the service assigns. */
async function outcome(place: FleetPlace) {
  const live: Record<string, unknown> = {};
  for (const [at] of PROJECTS.entries())
    for (const what of SETTINGS)
      live[`${at + 1} ${what}`] = given(await place.read(`/projects/${at + 1}/${what}`));
  const held = place
    .held("estate")
    .map(({ address, attributes, fleet }) => ({ address, fleet, ...attributes }));
  return { live, held: given(held) };
}

const SETTINGS = [
  "job_token_scope",
  "job_token_scope/allowlist",
  "protected_environments",
  "registry/protection/repository/rules",
  "pages",
];
const ASSIGNED = new Set(["id", "rule_id", "created_at", "updated_at", "deployments", "last_activity_at"]);

/** Removes the parts of a value that the service assigns, and ignores the order of lists. */
function given(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(given).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  if (typeof value === "string") return value.replace(/127\.0\.0\.1:\d+/, "");
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !ASSIGNED.has(key));
  return Object.fromEntries(entries.map(([key, one]) => [key, given(one)]));
}

/** Runs one part of the split. Returns false if the run refuses it. */
async function runPart(place: FleetPlace, words: readonly string[]): Promise<boolean> {
  const [option, value] = words;
  if (option === "--shard") {
    const planned = await place.run("plan", "--shard", value!, "--out", "shard.plan", ...LEAVING);
    return planned.code === 0 && (await place.run("apply", "shard.plan")).code === 0;
  }
  if (option === "--target") {
    const addresses = await place.changing(OF_STACK);
    if (addresses.length === 0) return true;
    const target = addresses[Number(value) % addresses.length]!;
    return (await place.run("apply", "--auto-approve", "--target", target, ...OF_STACK)).code === 0;
  }
  return (await place.run("apply", "--auto-approve", ...words, ...OF_STACK)).code === 0;
}
const LEAVING = ["--allow-leaving", "4"];
/**
 * The options of runs that use the synthesized stack directly. Only a run with a shard needs the app. The process of the
 * app takes as long as a small run.
 */
const OF_STACK = ["--config", "synthesized/stacks/estate", ...LEAVING];

async function ends({ before, after, leaves, joins }: World, parts: readonly (readonly string[])[]) {
  const place = await FleetPlace.open(PROJECTS);
  try {
    for (const name of joins) await place.setTopics(name, []);
    place.declare({ estate: build(before) });
    await place.apply(...OF_STACK);
    for (const name of joins) await place.setTopics(name, ["service"]);
    for (const name of leaves) await place.setTopics(name, []);
    place.declare({ estate: build(after) });
    let isRefused = false;
    for (const words of parts) if (!(await runPart(place, words))) isRefused = true;
    const last = await place.run("apply", "--auto-approve", ...OF_STACK);
    return { isRefused: isRefused || last.code !== 0, last, ...(await outcome(place)) };
  } finally {
    await place.close();
  }
}

test("if several partial applies succeed, the service and the state are the same as after one full apply", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      const whole = await ends(one, []);
      const divided = await ends(one, one.parts);
      if (whole.isRefused || (divided.isRefused && divided.last.code !== 0)) return;
      expect({ live: divided.live, held: divided.held }).toEqual({ live: whole.live, held: whole.held });
    }),
    { numRuns: runs(12, 600), seed },
  );
});

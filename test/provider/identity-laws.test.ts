import fc from "fast-check";
import type { RecordedRequest } from "../../src/service";
import { runs, seed } from "../support/capabilities";
import { actions, Stack } from "./support/stack";
import { useOneWorld } from "./support/world";

// Whatever declarations are called and wherever they stand: what stays declared stays on the service, and only what really
// differs is written.

const PROJECT = "acme/web";
const ENTRY = "steward_job_token_allowlist_project";

/** What one type of object is declared by, and how the service is told of its end. */
interface Kind {
  readonly keys: readonly string[];
  readonly type: string;
  readonly attribute: string;
  readonly attributes: object;
  /** The key of what a request ends; nothing for other requests. */
  readonly ended: (path: string, ids: ReadonlyMap<string, string>) => string | undefined;
}

const TARGETS: Readonly<Record<string, string>> = { "2": "acme/tools", "3": "acme/runner", "4": "acme/docs" };
const last = (path: string) => decodeURIComponent(path.split("/").at(-1)!);

const KINDS: readonly Kind[] = [
  {
    type: ENTRY,
    attribute: "target_project",
    keys: Object.values(TARGETS),
    attributes: {},
    ended: (path) => (path.includes("/job_token_scope/allowlist/") ? TARGETS[last(path)] : undefined),
  },
  {
    type: "steward_protected_environment",
    attribute: "name",
    keys: ["dev", "qa", "live"],
    attributes: { deploy_access_levels: [{ access_level: 40 }] },
    ended: (path) => (path.includes("/protected_environments/") ? last(path) : undefined),
  },
  {
    type: "steward_container_protection_rule",
    attribute: "repository_path_pattern",
    keys: ["acme/web/a", "acme/web/b", "acme/web/c"],
    attributes: { minimum_access_level_for_push: "owner" },
    ended: (path, ids) =>
      path.includes("/registry/protection/repository/rules/") ? ids.get(last(path)) : undefined,
  },
];

type Form = "named" | "count" | "whole";
interface Declared {
  readonly form: Form;
  readonly keys: readonly string[];
  /** What the named ones are called. */
  readonly names: readonly string[];
}

const NAMES = ["a", "b", "c", "d"];

const declaredOf = ({ type, keys }: Kind): fc.Arbitrary<Declared> =>
  fc.record({
    form: fc.constantFrom<Form>("named", "count", ...(type === ENTRY ? ["whole" as const] : [])),
    keys: fc.shuffledSubarray([...keys]),
    names: fc.shuffledSubarray(NAMES, { minLength: NAMES.length }),
  });

const configuration = fc.tuple(...KINDS.map(declaredOf));

function resources(declared: readonly Declared[]): object {
  return Object.fromEntries(
    declared.flatMap(({ form, keys, names }, at): (readonly [string, object])[] => {
      const { type, attribute, attributes } = KINDS[at]!;
      const one = (key: string) => ({ project: PROJECT, [attribute]: key, ...attributes });
      if (form === "whole")
        return [["steward_job_token_allowlist", { all: { project: PROJECT, target_projects: keys } }]];
      if (form === "named") return [[type, Object.fromEntries(keys.map((key, n) => [names[n]!, one(key)]))]];
      return [[type, { list: { ...one(`\${${JSON.stringify(keys)}[count.index]}`), count: keys.length } }]];
    }),
  );
}

jest.setTimeout(600_000);

const world = useOneWorld();

test("renames, shifts, swaps and changes of ownership write what really differs, and nothing goes that stays", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(configuration, { minLength: 2, maxLength: 4 }), async (steps) => {
      await clear();
      const stack = new Stack(world, {});
      let before: ReadonlySet<string> = new Set();
      try {
        for (const declared of steps) {
          stack.declare({ resource: resources(declared) });
          const ids = await ruleIds();
          world.service.requests.reset();
          const { diagnostics } = await stack.apply();
          expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
          const writes = world.service.requests.all.filter(({ method }) => method !== "GET");
          const wanted = new Set(declared.flatMap(({ keys }, at) => keys.map((key) => `${at} ${key}`)));
          expect(endedBy(writes, ids).filter((key) => wanted.has(key))).toEqual([]);
          expectOnlyDifferences(writes, wanted, before);
          expect(await live()).toEqual([...wanted].sort());
          expect(actions(await stack.plan())).toEqual({});
          before = wanted;
        }
      } finally {
        stack.remove();
      }
    }),
    { numRuns: runs(8, 200), seed },
  );
});

/** One write for each key that came or went; a rule is given another pattern in place. */
function expectOnlyDifferences(
  writes: readonly RecordedRequest[],
  wanted: ReadonlySet<string>,
  before: ReadonlySet<string>,
): void {
  const isRule = (key: string) => key.startsWith("2 ");
  const beyond = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
    [...one].filter((key) => !other.has(key));
  const [came, went] = [beyond(wanted, before), beyond(before, wanted)];
  const ofRules = writes.filter(({ url }) => url.includes("/registry/protection/")).length;
  const count = (keys: readonly string[]) => keys.filter(isRule).length;
  expect(writes.length - ofRules).toBe([...came, ...went].filter((key) => !isRule(key)).length);
  expect(ofRules).toBeGreaterThanOrEqual(Math.max(count(came), count(went)));
  expect(ofRules).toBeLessThanOrEqual(count(came) + count(went));
}

const endedBy = (writes: readonly RecordedRequest[], ids: ReadonlyMap<string, string>): string[] =>
  writes
    .filter(({ method }) => method === "DELETE")
    .flatMap(({ url }) =>
      KINDS.flatMap(({ ended }, at) => {
        const key = ended(url, ids);
        return key === undefined ? [] : [`${at} ${key}`];
      }),
    );

const get = async (path: string) =>
  (await world.http("GET", `/projects/1/${path}`)) as Record<string, unknown>[];
const rules = () => get("registry/protection/repository/rules");
const ruleIds = async () =>
  new Map((await rules()).map(({ id, repository_path_pattern: pattern }) => [String(id), String(pattern)]));

/** Leaves nothing of a run before. */
async function clear(): Promise<void> {
  const remove = (path: string) => world.http("DELETE", `/projects/1/${path}`);
  for (const { id } of await get("job_token_scope/allowlist"))
    if (id !== 1) await remove(`job_token_scope/allowlist/${String(id)}`);
  for (const { name } of await get("protected_environments"))
    await remove(`protected_environments/${String(name)}`);
  for (const id of (await ruleIds()).keys()) await remove(`registry/protection/repository/rules/${id}`);
}

async function live(): Promise<string[]> {
  const entries = await get("job_token_scope/allowlist");
  const environments = await get("protected_environments");
  return [
    ...entries.filter(({ id }) => id !== 1).map((one) => `0 ${String(one["path_with_namespace"])}`),
    ...environments.map(({ name }) => `1 ${String(name)}`),
    ...[...(await ruleIds()).values()].map((pattern) => `2 ${pattern}`),
  ].sort();
}

import * as fc from "fast-check";
import { type Diagnostic, fullDetail } from "../../src/diagnostics";
import type { ConfiguredProvider, StoredState } from "../../src/framework/protocol/protocol";
import { terraformAction } from "../../src/plugin/values/diagnostics";
import { createProvider } from "../../src/provider";
import type { ValueObject } from "../../src/schema";
import { describeEvery, varied } from "../provider/samples";
import { Host } from "../provider/support/host";
import { TOKEN, useOneWorld } from "../provider/support/world";
import { runs, seed } from "../support/capabilities";

// Terraform plans one object after the other, in any order, and sends no addresses. A rename without a `moved` block
// looks like a delete and a create. The tests check that the provider recognizes a rename.

const provider = createProvider();
const ENTRY = "steward_job_token_allowlist_project";
const WHOLE = "steward_job_token_allowlist";

const world = useOneWorld(undefined, provider);

const terraform = (): ConfiguredProvider => world.connect(undefined, { host: "terraform" });

/** Sends the requests of one Terraform plan. */
class Plan {
  readonly refusals: string[] = [];
  constructor(readonly run: ConfiguredProvider = terraform()) {}

  async declare(type: string, prior: StoredState | undefined, given: ValueObject, isForced = false) {
    const config = new Host(world, type).config(given);
    const plan = await this.run.planResource({ type, prior, config });
    this.#note(plan.diagnostics);
    if (plan.planned === undefined || prior === undefined) return;
    if (plan.requiresReplace.length === 0 && !isForced) return;
    const plannedBefore = plan.planned.private;
    const again = await this.run.planResource({ type, prior: undefined, config, plannedBefore });
    this.#note(again.diagnostics);
  }

  /** Refreshes an object before its delete, with the content of Terraform's state. */
  async refresh(type: string, state: StoredState): Promise<Plan> {
    await this.run.readResource({ type, state });
    return this;
  }

  async destroy(type: string, prior: StoredState) {
    this.#note((await this.run.planDestroy({ type, prior })).diagnostics);
  }

  #note(diagnostics: readonly Diagnostic[]) {
    for (const one of diagnostics) {
      if (one.severity !== "error") continue;
      expect(one.code).toBe("destroyed_and_declared");
      this.refusals.push(fullDetail(one, terraformAction));
    }
  }
}

describeEvery((type, sample) => {
  const { attributes } = provider.schema.resources[type]!;
  let state: StoredState;
  beforeAll(async () => {
    state = await new Host(world, type).bring(undefined, sample.config);
  });
  afterAll(() => new Host(world, type).destroy(state));

  test("a plan that creates an object at one address and destroys it at another address has exactly one error", async () => {
    const run = terraform();
    const config = new Host(world, type).config(sample.config);
    const declared = await run.planResource({ type, prior: undefined, config });
    await run.readResource({ type, state });
    const ended = await run.planDestroy({ type, prior: state });
    const codes = [...declared.diagnostics, ...ended.diagnostics].map(({ code }) => code);
    expect(codes.filter((code) => code === "destroyed_and_declared")).toHaveLength(1);
  });

  test("if a plan destroys an object and declares it at another address, the provider refuses the later planned change", async () => {
    const first = await new Plan().refresh(type, state);
    await first.destroy(type, state);
    expect(first.refusals).toEqual([]);
    await first.declare(type, undefined, sample.config);
    const second = await new Plan().refresh(type, state);
    await second.declare(type, undefined, sample.config);
    expect(second.refusals).toEqual([]);
    await second.destroy(type, state);
    for (const { refusals } of [first, second]) {
      expect(refusals).toEqual([expect.stringContaining(`${type} "${String(state.attributes["id"])}"`)]);
      expect(refusals[0]).toContain(`moved {\n  from = ${type}.OLD\n  to   = ${type}.NEW\n`);
      expect(refusals[0]).toContain(`moveFromId("${type}.OLD")`);
      expect(refusals[0]).toContain("terraform destroy -refresh=false");
    }
  });

  test("if a destroyed object is also in the state at another address, the provider's error suggests a removed block", async () => {
    const plan = new Plan();
    await plan.destroy(type, state);
    await plan.declare(type, state, sample.config);
    expect(plan.refusals).toEqual([expect.stringContaining(`removed {\n  from = ${type}.OLD\n`)]);
    expect(plan.refusals[0]).toContain("terraform state rm");
  });

  test("if a plan destroys an object that an import block imports, the provider's error suggests a moved block", async () => {
    const plan = new Plan();
    await plan.destroy(type, state);
    const imported = await plan.run.importResource({ type, id: String(state.attributes["id"]) });
    await plan.declare(type, imported.state, sample.config);
    expect(plan.refusals).toEqual([expect.stringContaining("a moved block instead of the import")]);
  });

  test("the provider allows the destroy of an object that is not declared, or that the same address replaces", async () => {
    const gone = new Plan();
    await gone.destroy(type, state);
    expect(gone.refusals).toEqual([]);
    const forced = new Plan();
    await forced.declare(type, state, sample.config, true);
    expect(forced.refusals).toEqual([]);
    for (const name of Object.keys(sample.variations)) {
      if (attributes[name]!.text.replaces !== true) continue;
      const replaced = new Plan();
      await replaced.declare(type, state, varied(sample, name));
      expect(replaced.refusals).toEqual([]);
    }
  });

  test("the provider checks a planned destroy against the declarations without a request", async () => {
    const requests = async (connect: () => ConfiguredProvider) => {
      world.service.requests.reset();
      const [host, run] = [new Host(world, type), connect()];
      await host.plan(await host.refresh(state, run), sample.config, run);
      await connect().planDestroy({ type, prior: state });
      return world.service.requests.count();
    };
    expect(await requests(terraform)).toBe(await requests(() => world.connect()));
  });

  test("if the provider runs under Steward, a plan can destroy an object and declare it at another address", async () => {
    const plan = await new Plan(world.connect()).refresh(type, state);
    await plan.destroy(type, state);
    await plan.declare(type, undefined, sample.config);
    expect(plan.refusals).toEqual([]);
  });
});

const entryOf = (target: number): StoredState => ({
  attributes: {
    id: `1:${target}`,
    project: "1",
    target_project: String(target),
    target_project_id: target,
  },
});
const entry = (target: number): ValueObject => ({ project: "1", target_project: String(target) });

test("for random changes, the provider refuses plans in which one address takes over another address's object, and no other plans", async () => {
  const target = fc.option(fc.integer({ min: 2, max: 6 }), { nil: undefined });
  const targets = fc.uniqueArray(target, {
    minLength: 5,
    maxLength: 5,
    comparator: (one, other) => one !== undefined && one === other,
  });
  await fc.assert(
    fc.asyncProperty(
      targets,
      targets,
      fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
      async (before, after, forced, order) => {
        const plan = new Plan();
        for (const address of order) {
          const [was, is] = [before[address], after[address]];
          const prior = was === undefined ? undefined : entryOf(was);
          if (is !== undefined) await plan.declare(ENTRY, prior, entry(is), forced[address]);
          else if (prior !== undefined) await plan.destroy(ENTRY, prior);
        }
        const taken = before.some(
          (was, address) => was !== undefined && after.some((is, other) => is === was && other !== address),
        );
        expect(plan.refusals.length > 0).toBe(taken);
      },
    ),
    { seed, numRuns: runs(100, 5000) },
  );
});

describe("an allowlist that another declaration takes over", () => {
  const whole = (targets: readonly number[]): ValueObject => ({
    project: "1",
    target_projects: targets.map(String),
  });
  const wholeOf = (targets: readonly number[]): StoredState => ({
    attributes: { id: "1", project: "1", target_projects: targets.map(String), target_groups: null },
  });

  test("if declarations change between a whole allowlist and single entries, the provider's error suggests a removed block", async () => {
    for (const isFirst of [true, false]) {
      const toEntry = new Plan();
      const toWhole = new Plan();
      if (isFirst) {
        await toEntry.destroy(WHOLE, wholeOf([2, 3]));
        await toWhole.destroy(ENTRY, entryOf(2));
      }
      await toEntry.declare(ENTRY, undefined, entry(2));
      await toWhole.declare(WHOLE, undefined, whole([2, 3]));
      if (!isFirst) {
        await toEntry.destroy(WHOLE, wholeOf([2, 3]));
        await toWhole.destroy(ENTRY, entryOf(2));
      }
      expect(toEntry.refusals).toEqual([expect.stringContaining(`removed {\n  from = ${WHOLE}.OLD\n`)]);
      expect(toWhole.refusals).toEqual([expect.stringContaining(`removed {\n  from = ${ENTRY}.OLD\n`)]);
    }
  });

  test("if a declared whole allowlist changes to another project, the provider refuses a declared entry in the earlier project's allowlist", async () => {
    const plan = new Plan();
    await plan.declare(WHOLE, wholeOf([2]), { ...whole([3]), project: "4" });
    await plan.declare(ENTRY, undefined, entry(2));
    expect(plan.refusals).toHaveLength(1);
  });

  test("if a whole allowlist and a single entry do not overlap, the provider allows the destroy of either", async () => {
    const plan = new Plan();
    await plan.destroy(ENTRY, entryOf(2));
    await plan.declare(WHOLE, undefined, whole([3]));
    const groups = new Plan();
    const ofGroups = { id: "1", project: "1", target_projects: null, target_groups: ["12"] };
    await groups.destroy(WHOLE, { attributes: ofGroups });
    await groups.declare(ENTRY, undefined, entry(2));
    expect([...plan.refusals, ...groups.refusals]).toEqual([]);
  });
});

test("the provider accepts an invitation's change from an e-mail address to the user who has this address", async () => {
  const INVITATION = "steward_project_invitation";
  const devon = { id: "1:devon@example.com", project: "1", access_level: 30, expires_at: null, user: null };
  const prior: StoredState = { attributes: { ...devon, email: "devon@example.com", status: "accepted" } };
  const plan = new Plan(world.connect(TOKEN.administrator, { host: "terraform" }));
  await plan.run.readResource({ type: INVITATION, state: prior });
  await plan.declare(INVITATION, prior, { project: "1", user: "devon", access_level: 30 });
  expect(plan.refusals).toEqual([]);
});

test("the provider refuses a plan that moves a rule's pattern or an invitation's person to another address", async () => {
  const RULE = "steward_container_protection_rule";
  const rule = (id: number, pattern: string): StoredState => ({
    attributes: {
      id: `1:${id}`,
      project: "1",
      repository_path_pattern: pattern,
      minimum_access_level_for_push: "owner",
      minimum_access_level_for_delete: null,
      rule_id: id,
    },
  });
  const declared = (pattern: string): ValueObject => ({
    project: "1",
    repository_path_pattern: pattern,
    minimum_access_level_for_push: "owner",
  });
  // The first of three rules is removed from a list, so the declarations of the second and the third move to other
  // addresses.
  const rules = new Plan();
  await rules.declare(RULE, rule(1, "one"), declared("two"));
  await rules.destroy(RULE, rule(3, "three"));
  await rules.declare(RULE, rule(2, "two"), declared("three"));
  expect(rules.refusals).toHaveLength(1);

  const INVITATION = "steward_project_invitation";
  const invited = (email: string): ValueObject => ({ project: "1", email, access_level: 30 });
  const invitation = (email: string): StoredState => ({
    attributes: { ...invited(email), id: `1:${email}`, user: null, expires_at: null, status: "pending" },
  });
  const people = new Plan();
  await people.destroy(INVITATION, invitation("b@example.com"));
  await people.declare(INVITATION, invitation("a@example.com"), invited("b@example.com"));
  expect(people.refusals).toHaveLength(1);
});

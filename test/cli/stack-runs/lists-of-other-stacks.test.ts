import { TerraformElement, type TerraformStack } from "cdktf";
import { AccessLevel, Fleet, type FleetConfig, JobTokenAllowlistProject } from "../../../src/constructs";
import { FleetPlace, type Stacks } from "../support/fleet-place";

// A stack can declare objects for each project of a list that it reads from the service. The tests check that the other
// stacks know these declarations before they plan.

const FLEET = {
  projects: { group: "acme", topics: ["service"] },
  baseline: {
    inboundEnabled: true,
    protectedEnvironments: { production: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] } },
  },
} as const satisfies FleetConfig;
const fleet =
  (id = "acme", config: Partial<FleetConfig> = {}) =>
  (stack: TerraformStack) =>
    void new Fleet(stack, id, { ...FLEET, ...config });
const nothing = () => undefined;

/** Declares a resource for each project in a list of the service. */
const forEachProject =
  (type: string, attributes: object) =>
  (stack: TerraformStack): void => {
    class Raw extends TerraformElement {
      override toTerraform(): unknown {
        return {
          data: { steward_projects: { listed: { group: "acme", topic: "service" } } },
          resource: {
            [type]: {
              each: {
                for_each: "${{ for p in data.steward_projects.listed.projects : p.full_path => p }}",
                project: "${each.value.id}",
                ...attributes,
              },
            },
          },
        };
      }
    }
    new Raw(stack, "raw");
  };

let place: FleetPlace;
beforeEach(async () => {
  place = await FleetPlace.open(["a", "b", "c", "d", "e"]);
});
afterEach(() => place.close());

/** Runs plan and apply. Returns their exit codes, errors and writes. */
async function planAndApply(...words: readonly string[]) {
  const before = place.requestCount;
  const plan = await place.run("plan", ...words);
  const apply = await place.run("apply", "--auto-approve", ...words);
  const errors = ({ text }: { text: string }) =>
    [...new Set([...text.matchAll(/Error: (.+?)(?: \[\w+\])?$/gm)].map(([, summary]) => summary))].sort();
  return {
    codes: [plan.code, apply.code],
    errors: [errors(plan), errors(apply)],
    writes: place.writesSince(before),
    text: `${plan.text}${apply.text}`,
  };
}

const move = (from: string, to: string) =>
  place.run("state", "mv", "--from-stack", from, "--to-stack", to, "--declared");

describe("a fleet that moves to another stack", () => {
  it.each([
    ["one", "two"],
    ["two", "one"],
  ])(
    "if a fleet moves from stack %s to stack %s, the error names the command that moves the fleet's objects",
    async (from, to) => {
      place.declare({ [from]: fleet(), [to]: nothing });
      await place.apply();
      const held = place.held(from).map(({ attributes }) => attributes["id"]);
      const stacks: Stacks = { [from]: nothing, [to]: fleet() };
      place.declare(stacks);
      const { codes, errors, writes, text } = await planAndApply();
      expect({ codes, writes }).toEqual({ codes: [1, 1], writes: [] });
      expect(errors[0]).toEqual(errors[1]);
      expect(text).toContain(`--from-stack ${from} --to-stack ${to}`);
      expect(await move(from, to)).toMatchObject({ code: 0 });
      expect(await place.apply()).toEqual([]);
      expect(place.held(to).map(({ attributes }) => attributes["id"])).toEqual(held);
      expect((await place.run("plan", "--detailed-exitcode")).code).toBe(0);
    },
  );
});

describe.each(["keep", "reset"] as const)(
  "a project that goes to the fleet of another stack, with onLeave %s",
  (onLeave) => {
    it.each([
      ["one", "two"],
      ["two", "one"],
    ])(
      "apply fails until state mv has moved the project's objects from stack %s to stack %s",
      async (from, to) => {
        const config = (topic: string) => ({
          projects: { group: "acme", topics: [topic], allowEmpty: true },
          onLeave,
        });
        place.declare({ [from]: fleet("services", config("service")), [to]: fleet("tools", config("tool")) });
        await place.apply();
        await place.setTopics("c", ["tool"]);
        const { codes, errors, writes } = await planAndApply("--allow-leaving", "1");
        expect({ codes, writes }).toEqual({ codes: [1, 1], writes: [] });
        expect(errors[0]).toEqual(errors[1]);
        expect(await move(from, to)).toMatchObject({ code: 0 });
        expect(await place.apply()).toEqual([]);
        expect(place.addresses(to)).toHaveLength(2);
      },
    );
  },
);

describe("single entries that become a whole list of another stack", () => {
  it.each([
    ["one", "two"],
    ["two", "one"],
  ])(
    "if stack %s declared single entries and stack %s now declares the whole list, apply deletes no entry",
    async (from, to) => {
      const entry = (stack: TerraformStack) => {
        for (const project of ["acme/a", "acme/b"])
          new JobTokenAllowlistProject(stack, project.replace("/", "-"), {
            project,
            targetProject: "acme/c",
          });
      };
      await place.setTopics("c", []);
      place.declare({ [from]: entry, [to]: nothing });
      await place.apply();
      place.declare({
        [from]: nothing,
        [to]: forEachProject("steward_job_token_allowlist", { target_projects: ["acme/c"] }),
      });
      for (let run = 0; run < 3; run += 1) {
        const { codes, errors, writes, text } = await planAndApply();
        expect([text, writes.filter((one) => one.startsWith("DELETE"))]).toEqual([text, []]);
        expect(errors[0]).toEqual(errors[1]);
        if (codes[1] === 0 && run > 0) break;
      }
      expect((await place.run("plan", "--detailed-exitcode")).code).toBe(0);
      expect(place.addresses(from)).toEqual([]);
    },
  );
});

describe("a whole list that goes to another project", () => {
  const one = (type: string, attributes: object) => (stack: TerraformStack) => {
    class Raw extends TerraformElement {
      override toTerraform(): unknown {
        return { resource: { [type]: { one: attributes } } };
      }
    }
    new Raw(stack, "raw");
  };
  const list = (project: string) =>
    one("steward_job_token_allowlist", { project, target_projects: ["acme/e"] });
  const entry = one("steward_job_token_allowlist_project", { project: "acme/a", target_project: "acme/e" });

  it.each([
    ["one", "two"],
    ["two", "one"],
  ])(
    "stack %s can give up a list only after an apply of stack %s, which now declares the list's entry",
    async (from, to) => {
      place.declare({ [from]: list("acme/a"), [to]: nothing });
      await place.apply();
      place.declare({ [from]: list("acme/b"), [to]: entry });
      const refused = await planAndApply("--stack", from);
      const summary = "Another stack must be applied first";
      expect(refused).toMatchObject({ codes: [1, 1], writes: [], errors: [[summary], [summary]] });
      expect(refused.text).toContain(`steward apply --stack ${to}`);
      expect(await planAndApply("--stack", to)).toMatchObject({ codes: [0, 0], writes: [] });
      const { codes, writes } = await planAndApply();
      expect({ codes, writes }).toEqual({
        codes: [0, 0],
        writes: ["POST /projects/2/job_token_scope/allowlist"],
      });
      expect((await place.run("plan", "--detailed-exitcode")).code).toBe(0);
    },
  );

  it("if each of two stacks must be applied before the other, the error suggests a first apply with --target", async () => {
    const both = (project: string, other?: string) => (stack: TerraformStack) => {
      list(project)(stack);
      if (other === undefined) return;
      new JobTokenAllowlistProject(stack, "entry", { project: `acme/${other}`, targetProject: "acme/e" });
    };
    place.declare({ one: both("acme/a"), two: both("acme/b") });
    await place.apply();
    place.declare({ one: both("acme/c", "b"), two: both("acme/d", "a") });
    const refused = await planAndApply();
    expect(refused).toMatchObject({ codes: [1, 1], writes: [] });
    const [, address] = /apply only (\S+) in the stack "two" there, with --target/.exec(refused.text)!;
    expect(await place.apply("--stack", "two", "--target", address!)).toEqual([]);
    expect(await place.apply("--stack", "one")).toEqual(["POST /projects/3/job_token_scope/allowlist"]);
    expect(await place.apply()).toEqual(["POST /projects/4/job_token_scope/allowlist"]);
    expect((await place.run("plan", "--detailed-exitcode")).code).toBe(0);
  });
});

it("if two stacks declare the same new object, apply fails before the first write", async () => {
  const environments = forEachProject("steward_protected_environment", {
    name: "production",
    deploy_access_levels: [{ access_level: 40 }],
  });
  place.declare({ one: fleet(), two: environments });
  const { codes, errors, writes } = await planAndApply();
  expect({ codes, writes, errors }).toEqual({
    codes: [1, 1],
    writes: [],
    errors: [["Declared in two stacks"], ["Declared in two stacks"]],
  });
});

it("if another stack's list of projects can't be read, apply keeps an object that the other stack may declare", async () => {
  const production = forEachProject("steward_protected_environment", {
    name: "production",
    deploy_access_levels: [{ access_level: 40 }],
  });
  place.declare({ one: production, two: nothing });
  await place.apply();
  place.declare({ one: nothing, two: production });
  place.place.service.faults.add({ method: "GET", route: "/groups/:id/projects", status: 403, always: true });
  const { codes, errors, writes, text } = await planAndApply("--stack", "one");
  expect({ codes, writes, errors }).toEqual({ codes: [0, 0], writes: [], errors: [[], []] });
  expect(text).toContain('steward_protected_environment.each in the stack "two"');
  expect(place.addresses("one")).toHaveLength(5);
});

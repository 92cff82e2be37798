import type { Operation, Scene } from "./scene";
import { numbers, type Resources, type World } from "./world";

/** The number of objects of each project: a setting, an allowlist entry, a protected environment and a container rule. */
const EACH = 4;
const projectsOf = (size: number): number => Math.ceil(size / EACH);
const DRIFTED = 2;

interface Variant {
  /** The prefix of the objects' names. */
  readonly name?: string;
  /** The number of projects whose declared objects get changed values. */
  readonly changed?: number;
}

/** Returns the declarations of all projects. */
function resources({ group, size }: World, { name = "p", changed = 0 }: Variant = {}): Resources {
  const all: Resources = {
    steward_job_token_scope: {},
    steward_job_token_allowlist_project: {},
    steward_protected_environment: {},
    steward_container_protection_rule: {},
  };
  const count = projectsOf(size);
  for (const index of numbers(count)) {
    // All names have the same length, so that comparisons cost the same at both sizes.
    const [key, project, isChanged] = [
      `${name}${String(index).padStart(5, "0")}`,
      `${group}/p${index}`,
      index < changed,
    ];
    all["steward_job_token_scope"]![key] = { project, inbound_enabled: !isChanged };
    all["steward_job_token_allowlist_project"]![key] = {
      project,
      target_project: `${group}/p${(index + (isChanged ? 2 : 1)) % count}`,
    };
    all["steward_protected_environment"]![key] = {
      project,
      name: "production",
      deploy_access_levels: [{ access_level: isChanged ? 30 : 40 }],
    };
    all["steward_container_protection_rule"]![key] = {
      project,
      repository_path_pattern: `${project}/image`,
      minimum_access_level_for_push: isChanged ? "admin" : "owner",
    };
  }
  return all;
}

const addresses = (declared: Resources): string[] =>
  Object.entries(declared).flatMap(([type, named]) => Object.keys(named).map((name) => `${type}.${name}`));

/** Reads the addresses and ids of the objects from the state. */
function idsOf(world: World): [string, string][] {
  const state = JSON.parse(world.read("terraform.tfstate")) as {
    resources: { type: string; name: string; instances: { attributes: { id: string } }[] }[];
  };
  return state.resources.map(({ type, name, instances }) => [`${type}.${name}`, instances[0]!.attributes.id]);
}

const WORDS = ["--config", "."];
const steward = (
  name: string,
  words: readonly string[],
  more: Partial<Operation> & { code?: number } = {},
) => ({
  name,
  run: (world: World) => world.run([...words], more.code),
  applies: words[0] === "apply" || words.includes("--auto-approve"),
  ...(more.before && { before: more.before }),
});
const onConfiguration = (name: string, words: readonly string[], more: Parameters<typeof steward>[2] = {}) =>
  steward(name, [...words, ...WORDS], more);

const POLICY = `module.exports = [{
  name: "no level below Developer", why: "Others can't deploy.", level: "advisory",
  types: ["steward_protected_environment"],
  checkChange: ({ after }) => (after?.deploy_access_levels ?? []).filter((each) => each.access_level < 30).map(() => ({ what: "Too low.", fix: "Raise it." })),
}];`;

const REPORTS = { Markdown: "r.md", HTML: "r.html", JUnit: "r.xml", widget: "r.widget.json", JSON: "r.json" };

async function driftByHand(world: World): Promise<void> {
  for (const index of numbers(projectsOf(world.size))) {
    const project = encodeURIComponent(`${world.group}/p${index}`);
    await world.byHand("PATCH", `/projects/${project}/job_token_scope`, { enabled: false });
  }
}

const create: readonly Operation[] = [
  onConfiguration("validate", ["validate"], { before: (world) => world.declare(resources(world)) }),
  onConfiguration("plan, all new", ["plan", "--out", "saved"]),
  onConfiguration("plan --json", ["plan", "--json"]),
  onConfiguration("plan with access, rights and requests", [
    "plan",
    "--access",
    "--rights",
    "--show-requests",
  ]),
  steward("show FILE", ["show", "saved"]),
  {
    name: "show --json FILE",
    run: async (world) => world.write("plan.json", await world.run(["show", "--json", "saved"])),
  },
  ...Object.entries(REPORTS).map(([format, file]) =>
    steward(`report, ${format}`, ["report", "--plan-json", "plan.json", "--report", file]),
  ),
  steward("policies", ["report", "--plan-json", "plan.json", "--policy", "./policy.js"], {
    before: (world) => world.write("policy.js", POLICY),
  }),
  steward("apply FILE", ["apply", "saved"]),
];

const change: readonly Operation[] = [
  onConfiguration("plan, none changed", ["plan", "--detailed-exitcode"]),
  onConfiguration("plan --refresh=false", ["plan", "--refresh=false"]),
  {
    name: "plan with targets",
    run: (world) => {
      const targets = addresses(resources(world)).filter((_, index) => index % 2 === 0);
      return world.run(["plan", ...WORDS, ...targets.flatMap((address) => ["--target", address])]);
    },
  },
  onConfiguration("plan, one changed", ["plan"], {
    before: (world) => world.declare(resources(world, { changed: 1 })),
  }),
  onConfiguration("plan, all changed", ["plan"], {
    before: (world) => world.declare(resources(world, { changed: world.size })),
  }),
  onConfiguration("apply, all changed", ["apply", "--auto-approve"]),
];

const drift: readonly Operation[] = [
  onConfiguration("drift, none", ["drift"]),
  onConfiguration("apply, all changed back", ["apply", "--auto-approve"], {
    before: (world) => world.declare(resources(world)),
  }),
  onConfiguration("drift, all", ["drift", "--report", "runs/1.json"], {
    before: async (world) => {
      await driftByHand(world);
      world.write("runs/0.txt", "");
    },
    code: DRIFTED,
  }),
  onConfiguration("drift with coverage and known drift", ["drift", "--coverage", "--since", "runs/1.json"]),
  steward("history", ["history", "runs"]),
  steward("drift --state", ["drift", "--state", "terraform.tfstate"], { code: DRIFTED }),
  onConfiguration("repair", ["drift", "--repair", "--auto-approve"]),
];

const FIRST = "steward_job_token_scope.p00000";

const state: readonly Operation[] = [
  onConfiguration("state list", ["state", "list"]),
  onConfiguration("state show", ["state", "show", FIRST]),
  onConfiguration("state mv", ["state", "mv", FIRST, "steward_job_token_scope.moved"]),
  onConfiguration("state rm", ["state", "rm", "steward_job_token_scope.moved"]),
  {
    name: "import",
    run: (world) => world.run(["import", ...WORDS, FIRST, `${world.group}/p0`]),
  },
  onConfiguration("state pull", ["state", "pull"]),
  onConfiguration("show", ["show"]),
  onConfiguration("show --json", ["show", "--json"]),
];

const moves: readonly Operation[] = [
  onConfiguration("renames", ["apply", "--auto-approve"], {
    before: (world) => world.declare(resources(world, { name: "q" })),
  }),
  onConfiguration("moved blocks", ["apply", "--auto-approve"], {
    before: (world) =>
      world.declare(resources(world), {
        moved: addresses(resources(world)).map((to) => ({ from: to.replace(/\.p(\d+)$/, ".q$1"), to })),
      }),
  }),
];

const imports: readonly Operation[] = [
  onConfiguration("import blocks", ["apply", "--auto-approve"], {
    before: (world) => {
      const all = idsOf(world);
      world.declare(resources(world), { import: all.map(([to, id]) => ({ to, id })) });
      world.forget("terraform.tfstate");
    },
  }),
];

const ending: readonly Operation[] = [
  {
    name: "adopt",
    run: (world) => world.run(["adopt", world.group, "--out", "adopted"]),
  },
  { name: "snapshot", run: (world) => world.run(["snapshot", world.group, "--out", "fixture.yaml"]) },
  onConfiguration("removed blocks", ["plan"], {
    before: (world) =>
      world.declare(
        {},
        {
          removed: addresses(resources(world)).map((from) => ({ from, lifecycle: { destroy: false } })),
        },
      ),
  }),
  onConfiguration("destroy", ["destroy", "--auto-approve"], {
    before: (world) => world.declare(resources(world)),
  }),
];

/** The scene with many projects of four objects each. The operations create, change and destroy the objects. */
export const estate: Scene = {
  name: "estate",
  projects: projectsOf,
  atLeast: 20,
  operations: [...create, ...change, ...drift, ...state, ...moves, ...imports, ...ending],
};

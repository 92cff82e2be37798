import type { Operation, Scene } from "./scene";
import { numbers, type Resources, type World } from "./world";

// The scene of this file has one project with many environments, rules and allowlist entries, and reports of many stacks and
// runs. The code that prints and reports must not search a list once for each of its elements.

const EACH = 3;
const partOf = (size: number): number => Math.ceil(size / EACH);

function resources({ group, size }: World, isChanged: boolean): Resources {
  const project = `${group}/p0`;
  const all: Resources = {
    steward_job_token_allowlist: {
      callers: {
        project,
        target_projects: numbers(partOf(size))
          .filter((index) => index > 0 && (!isChanged || index % 2 === 0))
          .map((index) => `${group}/p${index}`),
      },
    },
    steward_protected_environment: {},
    steward_container_protection_rule: {},
  };
  for (const index of numbers(partOf(size))) {
    const key = `e${String(index).padStart(5, "0")}`;
    all["steward_protected_environment"]![key] = {
      project,
      name: key,
      deploy_access_levels: [{ access_level: isChanged ? 30 : 40 }],
    };
    all["steward_container_protection_rule"]![key] = {
      project,
      repository_path_pattern: `${project}/${key}*`,
      minimum_access_level_for_push: isChanged ? "admin" : "owner",
    };
  }
  return all;
}

const WORDS = ["--config", "."];
const FORMATS = ["r.md", "r.html", "r.xml", "r.widget.json", "r.json"].flatMap((file) => ["--report", file]);
const steward = (name: string, ...words: readonly string[]): Operation => ({
  name,
  run: (world) => world.run(words),
  applies: words.includes("--auto-approve"),
});

/** Writes many JSON reports of drift runs, as CI jobs leave them. */
function writeReports(world: World): void {
  const report = JSON.parse(world.read("r.json")) as {
    stacks: { name: string | null; objects: unknown[] }[];
    access?: unknown;
    rights?: unknown;
    requests?: unknown;
  };
  // The report is split into parts with one object each. The parts do not contain `access`, `rights` and `requests`,
  // because these describe the whole run.
  const { stacks, access: _, rights: __, requests: ___, ...rest } = report;
  const [object] = stacks[0]!.objects;
  for (const index of numbers(world.size)) {
    const key = String(index).padStart(5, "0");
    const at = new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString();
    const stack = { ...stacks[0]!, name: `s${key}`, objects: [object] };
    world.write(`parts/${key}.json`, { ...rest, stacks: [stack] });
    world.write(`runs/${key}.json`, {
      ...rest,
      command: "drift",
      started_at: at,
      finished_at: at,
      stacks: [{ ...stacks[0]!, objects: [object] }],
    });
  }
}

export const reports: Scene = {
  name: "long lists and many reports",
  projects: partOf,
  atLeast: 20,
  operations: [
    {
      ...steward("apply", "apply", "--auto-approve", ...WORDS),
      before: (world) => world.declare(resources(world, false)),
    },
    {
      ...steward(
        "plan with access, rights, requests and reports",
        "plan",
        ...WORDS,
        "--access",
        "--rights",
        "--show-requests",
        ...FORMATS,
      ),
      before: (world) => world.declare(resources(world, true)),
    },
    steward("plan --json with access", "plan", ...WORDS, "--json", "--access"),
    {
      name: "report merge",
      before: writeReports,
      run: (world) =>
        world.run([
          "report",
          "merge",
          ...numbers(world.size).map((index) => `parts/${String(index).padStart(5, "0")}.json`),
          ...FORMATS,
        ]),
    },
    steward("history of many runs", "history", "runs"),
    steward("apply --max-deletes", "apply", "--auto-approve", "--max-deletes", "1000000", ...WORDS),
    // The objects are destroyed, because the next run of the scene uses the same project.
    steward("destroy", "destroy", "--auto-approve", ...WORDS),
  ],
};

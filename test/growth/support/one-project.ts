import type { Scene } from "./scene";
import { numbers, type Resources, type World } from "./world";

/** Returns container rules and protected environments, because a project can have any number of them. */
function resources({ group, size }: World): Resources {
  const project = `${group}/p0`;
  const all: Resources = { steward_container_protection_rule: {}, steward_protected_environment: {} };
  for (const index of numbers(Math.ceil(size / 2))) {
    const key = `o${String(index).padStart(5, "0")}`;
    all["steward_container_protection_rule"]![key] = {
      project,
      repository_path_pattern: `${project}/${key}`,
      minimum_access_level_for_push: "owner",
    };
    all["steward_protected_environment"]![key] = {
      project,
      name: key,
      deploy_access_levels: [{ access_level: 40 }],
    };
  }
  return all;
}

const WORDS = ["--config", "."];
const APPLY = ["apply", ...WORDS, "--auto-approve"];

/**
 * The scene with many objects in one project. Steward must find the live object of a declaration without searching a list
 * once for each object.
 */
export const oneProject: Scene = {
  name: "one project",
  projects: () => 1,
  operations: [
    {
      name: "plan, all new",
      before: (world) => world.declare(resources(world)),
      run: (world) => world.run(["plan", ...WORDS]),
    },
    { name: "apply, all new", applies: true, run: (world) => world.run(APPLY) },
    {
      name: "plan of what exists",
      before: (world) => world.forget("terraform.tfstate"),
      run: (world) => world.run(["plan", ...WORDS], 1),
    },
    {
      name: "import of what exists",
      applies: true,
      run: (world) => world.run([...APPLY, "--import-existing"]),
    },
    // The objects are destroyed, because the next run of the scene uses the same project.
    {
      name: "destroy",
      applies: true,
      run: (world) => world.run(["destroy", ...WORDS, "--auto-approve"]),
    },
  ],
};

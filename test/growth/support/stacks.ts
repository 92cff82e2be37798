import type { Operation, Scene } from "./scene";
import { numbers, type World } from "./world";

/** The number of objects of each stack. */
const EACH = 2;
const SOURCE = "registry.steward.example/steward/steward";
const stacksOf = (size: number): number => Math.ceil(size / EACH);

/** Writes the app. Each stack has the environments of one project, and reads an output of the previous stack. */
function writeApp(world: World, levels: (stack: number) => number): void {
  const names = numbers(stacksOf(world.size)).map((index) => `s${index}`);
  world.write("cdktf.json", { language: "typescript", app: 'cp -R synthesized/. "$CDKTF_OUTDIR"' });
  for (const [index, name] of names.entries())
    world.write(`synthesized/stacks/${name}/cdk.tf.json`, {
      terraform: {
        required_providers: { steward: { source: SOURCE } },
        backend: { local: { path: `${world.folder}/terraform.${name}.tfstate` } },
      },
      provider: { steward: [{}] },
      resource: {
        steward_protected_environment: Object.fromEntries(
          numbers(EACH - 1).map((number) => [
            `e${number}`,
            {
              project: `${world.group}/p${index}`,
              name: `env-${number}`,
              deploy_access_levels: [{ access_level: levels(index) }],
            },
          ]),
        ),
        terraform_data: {
          link: { input: index === 0 ? "first" : "${data.terraform_remote_state.before.outputs.link}" },
        },
      },
      ...(index > 0 && {
        data: {
          terraform_remote_state: {
            before: {
              backend: "local",
              config: { path: `${world.folder}/terraform.${names[index - 1]}.tfstate` },
            },
          },
        },
      }),
      output: { link: { value: "${terraform_data.link.id}" } },
    });
  const entries = names.map((name, index) => [
    name,
    {
      name,
      constructPath: name,
      workingDirectory: `stacks/${name}`,
      dependencies: index > 0 ? [names[index - 1]] : [],
      annotations: [],
    },
  ]);
  world.write("synthesized/manifest.json", { version: "0", stacks: Object.fromEntries(entries) });
}

const steward = (name: string, ...words: readonly string[]): Operation => ({
  name,
  run: (world) => world.run(words),
  applies: words.includes("--auto-approve"),
});

/** The scene with an app of many stacks. Each stack depends on the previous stack. */
export const stacks: Scene = {
  name: "stacks",
  projects: stacksOf,
  operations: [
    { ...steward("validate", "validate"), before: (world) => writeApp(world, () => 40) },
    steward("apply", "apply", "--auto-approve"),
    steward("plan, none changed", "plan", "--detailed-exitcode"),
    { ...steward("plan, all changed", "plan"), before: (world) => writeApp(world, () => 30) },
    steward("drift", "drift"),
    steward("state list", "state", "list"),
    steward("destroy", "destroy", "--auto-approve"),
  ],
};

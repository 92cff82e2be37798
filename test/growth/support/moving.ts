import type { Operation, Scene } from "./scene";
import { numbers, type World } from "./world";

const SOURCE = "registry.steward.example/steward/steward";
const BETWEEN = ["--from-stack", "web", "--to-stack", "base"];

/** Writes an app of two stacks. One of the stacks declares everything. */
function declareIn(world: World, declaring: "web" | "base"): void {
  world.write("cdktf.json", { language: "typescript", app: 'cp -R synthesized/. "$CDKTF_OUTDIR"' });
  for (const name of ["web", "base"])
    world.write(`synthesized/stacks/${name}/cdk.tf.json`, {
      terraform: {
        required_providers: { steward: { source: SOURCE } },
        backend: { local: { path: `${world.folder}/terraform.${name}.tfstate` } },
      },
      provider: { steward: [{}] },
      ...(name === declaring && {
        resource: {
          steward_job_token_scope: Object.fromEntries(
            numbers(world.size).map((number) => [
              `p${number}`,
              { project: `${world.group}/p${number}`, inbound_enabled: true },
            ]),
          ),
        },
      }),
    });
  const entries = ["web", "base"].map((name) => [
    name,
    { name, constructPath: name, workingDirectory: `stacks/${name}`, dependencies: [], annotations: [] },
  ]);
  world.write("synthesized/manifest.json", { version: "0", stacks: Object.fromEntries(entries) });
}

const steward = (
  name: string,
  words: readonly string[],
  { code, ...more }: Partial<Operation> & { code?: number } = {},
): Operation => ({ name, run: (world) => world.run(words, code), ...more });

/** The scene in which declarations move from one stack to another. */
export const moving: Scene = {
  name: "from stack to stack",
  projects: (size) => size,
  operations: [
    steward("apply", ["apply", "--auto-approve"], {
      before: (world) => declareIn(world, "web"),
      applies: true,
    }),
    steward("plan, all moved", ["plan"], { before: (world) => declareIn(world, "base"), code: 1 }),
    steward("state mv --declared", ["state", "mv", ...BETWEEN, "--declared"]),
    steward("plan, all in their stack", ["plan", "--detailed-exitcode"]),
  ],
};

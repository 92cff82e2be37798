import type { Scene } from "./scene";
import { numbers, type World } from "./world";

/** Returns the name of a resource. All names have the same length, so that comparisons cost the same at both sizes. */
const nameOf = (index: number): string => `s${String(index).padStart(5, "0")}`;

/** Returns one reference of each kind to an attribute of a scope. */
const referencesTo = (scope: string, attribute: string): Record<string, unknown> => ({
  direct: `\${${scope}.${attribute}}`,
  tried: `\${try(${scope}.${attribute}, null)}`,
  branch: `\${false ? ${scope}.${attribute} : null}`,
  loop: `\${[for x in [] : ${scope}.${attribute}]}`,
  splat: `\${${scope}[*].${attribute}}`,
});

/** Declares `size` scopes, and five references to each scope in outputs and locals. */
function declare(world: World, attribute: string): void {
  const scopes = numbers(world.size).map((index) => [
    nameOf(index),
    { project: `${world.group}/p${index}`, inbound_enabled: true },
  ]);
  const all = numbers(world.size).map((index) => [
    nameOf(index),
    referencesTo(`steward_job_token_scope.${nameOf(index)}`, attribute),
  ]);
  world.declare(
    { steward_job_token_scope: Object.fromEntries(scopes) },
    {
      locals: Object.fromEntries(all.map(([name, value]) => [name, value])),
      output: Object.fromEntries(all.map(([name, value]) => [name, { value }])),
    },
  );
}

const VALIDATE = ["validate", "--config", "."];

/** The scene with many references. `validate` must follow each reference only once. */
export const references: Scene = {
  name: "references",
  projects: () => 0,
  // The engine no longer looks for similar names if more than twenty names are undeclared, so the size must be larger.
  atLeast: 24,
  operations: [
    {
      name: "validate",
      before: (world) => declare(world, "id"),
      run: (world) => world.run(VALIDATE),
    },
    {
      name: "validate wrong attributes",
      before: (world) => declare(world, "idd"),
      run: (world) => world.run(VALIDATE, 1),
    },
    {
      name: "validate undeclared names",
      before: (world) =>
        world.declare(
          {
            steward_job_token_scope: Object.fromEntries(
              numbers(world.size).map((index) => [nameOf(index), { project: "1", inbound_enabled: true }]),
            ),
          },
          {
            output: Object.fromEntries(
              numbers(world.size).map((index) => [
                nameOf(index),
                { value: `\${steward_job_token_scope.x${nameOf(index).slice(1)}.id}` },
              ]),
            ),
          },
        ),
      run: (world) => world.run(VALIDATE, 1),
    },
  ],
};

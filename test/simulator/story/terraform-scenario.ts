import { readStory } from "./notation";
import type { Edit, Story } from "./story";

/** The parts of the scenario for which the real Terraform and its model are compared. Each part ends with a command. */
const PARTS = {
  create: "declare one environment; declare two entry; declare three scope; declare four invitation; apply",
  nothing: "apply",
  update: "content one 2; apply",
  replace: "retarget one 1; apply",
  move: "rename one other, by a block; apply",
  delete: "drop two; apply",
  release: "release three; apply",
  import: "declare again scope, by an import block; apply",
  destroy: "destroy",
};

export const SCENARIO = Object.entries(PARTS).map(([name, text]) => {
  const { steps } = readStory(text);
  return {
    name,
    edits: steps.filter((step): step is Edit => "edit" in step),
    command: steps.flatMap((step) => ("run" in step ? step.run.do : [])).join(),
  };
});

export const SCENARIO_STORY: Story = readStory(`under Terraform; ${Object.values(PARTS).join("; ")}`);

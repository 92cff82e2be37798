import type { Kind } from "../world/objects";
import type { Edit, Story } from "./story";

const declare = (name: string, kind: Kind, key: string, isImported = false): Edit => ({
  edit: "declare",
  stack: "a",
  declaration: {
    kind,
    at: "web",
    key,
    content: 1,
    name,
    spelling: "path",
    ...(isImported && { isImported }),
  },
});

interface Part {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly command: "apply" | "destroy";
}

/** What the real program and its model do, one after the other, while their calls are recorded: one object of each type. */
export const SCENARIO: readonly Part[] = [
  {
    name: "create",
    edits: [
      declare("one", "environment", "production"),
      declare("two", "entry", "tools"),
      declare("three", "scope", ""),
      declare("four", "invitation", "ada@example.com"),
    ],
    command: "apply",
  },
  { name: "nothing", edits: [], command: "apply" },
  { name: "update", edits: [{ edit: "content", name: "one", content: 2 }], command: "apply" },
  { name: "replace", edits: [{ edit: "retarget", name: "one", key: 1 }], command: "apply" },
  { name: "move", edits: [{ edit: "rename", name: "one", to: "other", hasBlock: true }], command: "apply" },
  { name: "delete", edits: [{ edit: "drop", name: "two" }], command: "apply" },
  { name: "release", edits: [{ edit: "release", name: "three" }], command: "apply" },
  { name: "import", edits: [declare("again", "scope", "", true)], command: "apply" },
  { name: "destroy", edits: [], command: "destroy" },
];

export const SCENARIO_STORY: Story = {
  seed: 1,
  keeping: "file",
  stacks: ["a"],
  host: "terraform",
  steps: SCENARIO.flatMap(({ edits, command }) => [...edits, { run: { do: command } }]),
};

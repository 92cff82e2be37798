// Stories of faults that random seeds found and that are fixed, as small as they shrank.
import { KEYS, type Kind, PLACES } from "../world/objects";
import type { HoldingStory, Step } from "./story";

const declare = (name: string, kind: Kind, content = 0, key = KEYS[kind][0]!): Step => ({
  edit: "declare",
  stack: "a",
  declaration: { kind, at: PLACES[kind][0]!, key, content, name, spelling: "path" },
});
/** Two 404 of the service, where the object and what holds it are there. */
const SEES_NOTHING_TWICE = [2, 3].flatMap((times) =>
  (["environment", "rule", "entry", "group_entry", "invitation", "group_invitation"] as const).map(
    (kind): HoldingStory => ({
      rule: `${times} times 404 is no evidence that an interrupted create of ${kind} did not make it`,
      story: {
        seed: 100 + times,
        keeping: "file",
        stacks: ["a"],
        steps: [
          declare("one", kind),
          { run: { do: "apply", crash: { afterWrite: 1 } } },
          { run: { do: "apply", network: [{ on: "GET", nth: 1, times, fault: "404" }] } },
        ],
      },
    }),
  ),
);
const RULE = { kind: "rule", at: "api", key: "main", content: 0, spelling: "path" } as const;
const APPLY: Step = { run: { do: "apply" } };

export const FOUND: readonly HoldingStory[] = [
  ...(["environment", "rule", "invitation", "group_invitation", "entry"] as const).map(
    (kind): HoldingStory => ({
      rule: `${kind} stays in the state when its delete is answered with 404 and it is still there`,
      story: {
        seed: 1,
        keeping: "file",
        stacks: ["a"],
        steps: [
          declare("one", kind),
          APPLY,
          { edit: "drop", name: "one" },
          { run: { do: "apply", network: [{ on: "DELETE", nth: 1, times: 6, fault: "404" }] } },
        ],
      },
    }),
  ),
  {
    rule: "single entries that take over a whole list are not removed by its delete, which runs beside them",
    story: {
      seed: 5762,
      keeping: "file",
      stacks: ["a"],
      steps: [
        declare("o1", "list", 7),
        { run: { do: "import", name: "o1" } },
        { edit: "rename", name: "o1", to: "o1_r2", hasBlock: true },
        { edit: "single", at: "web", stack: "a" },
      ],
    },
  },
  {
    rule: "one 404 is not believed while the list that is read next shows the object",
    story: {
      seed: 7150,
      keeping: "file",
      stacks: ["a"],
      steps: [
        { edit: "declare", stack: "a", declaration: { ...RULE, name: "o2" } },
        declare("o3", "environment", 0, "staging"),
        {
          edit: "declare",
          stack: "a",
          declaration: { ...RULE, kind: "environment", key: "production", name: "o4" },
        },
        { run: { do: "save" } },
        { run: { do: "apply saved", crash: { afterWrite: 2 } } },
        {
          run: {
            do: "apply",
            describes: true,
            network: [
              { on: "any", nth: 1, times: 2, fault: "silence" },
              { on: "GET", nth: 7, fault: "404" },
            ],
          },
        },
      ],
    },
  },
  {
    rule: "one 404 for what holds an object is no evidence that an interrupted create did not make it",
    story: {
      seed: 103429,
      keeping: "file",
      stacks: ["a"],
      steps: [
        declare("one", "group_entry"),
        { run: { do: "apply", crash: { afterWrite: 1 } } },
        { run: { do: "apply", network: [{ on: "GET", nth: 1, fault: "404" }] } },
      ],
    },
  },
  ...SEES_NOTHING_TWICE,
  {
    rule: "a project is not gone to an administrator because one read of it is answered with 404",
    story: {
      seed: 104053,
      keeping: "file",
      stacks: ["a"],
      steps: [
        declare("o1", "environment", 0, "staging"),
        {
          edit: "declare",
          stack: "a",
          declaration: {
            ...{ kind: "environment", at: "web", key: "production", content: 0 },
            ...{ name: "o2", spelling: "path", second: true },
          },
        },
        { run: { do: "apply", crash: { afterWrite: 1 } } },
        { run: { do: "apply", network: [{ on: "GET", nth: 3, times: 5, fault: "404" }] } },
      ],
    },
  },
  {
    rule: "a whole list whose create failed in part keeps what it has, although Terraform replaces it",
    story: {
      ...{ seed: 104351, keeping: "file", host: "terraform", stacks: ["a"] },
      steps: [
        {
          edit: "declare",
          stack: "a",
          declaration: { ...RULE, kind: "list", key: "", content: 15, name: "o3" },
        },
        { run: { do: "apply", network: [{ on: "write", nth: 4, times: 2, fault: "403" }] } },
      ],
    },
  },
  {
    rule: "a setting whose create failed and that prevent_destroy holds is not replaced by Terraform",
    story: {
      ...{ seed: 102911, keeping: "file", host: "terraform", stacks: ["a"] },
      steps: [
        declare("o2", "pages"),
        { edit: "protect", name: "o2" },
        {
          run: {
            do: "apply",
            network: [
              { on: "write", nth: 1, fault: "request lost" },
              { on: "write", nth: 2, fault: "403" },
            ],
          },
        },
      ],
    },
  },
];

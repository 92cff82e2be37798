// What plans say about access, rights and requests, as stories.
import { APPLY, declare, KINDS, run, inOneStack as story, thing } from "./steps";
import type { HoldingStory } from "./story";

const DESCRIBED = [run({ do: "plan", describes: true }), run({ describes: true })];
const BY_MAINTAINER = [run({ do: "plan", describes: true, isMaintainer: true }), run({ isMaintainer: true })];

/** Job tokens are limited to those on the list. */
const LIMITED = declare("limit", thing("scope", { content: 1 }));

export const REPORTS: readonly HoldingStory[] = [
  ...[
    [5, 15],
    [15, 1],
    [3, 12],
  ].map(([from, to]) => ({
    rule: `a plan tells whose job tokens a list of content ${from} lets in once it has content ${to}`,
    story: story(
      LIMITED,
      declare("all", thing("list", { content: from! })),
      APPLY,
      { edit: "content", name: "all", content: to! },
      ...DESCRIBED,
    ),
  })),
  {
    rule: "a plan tells that a whole list removes the entries that people made",
    story: story(
      LIMITED,
      APPLY,
      { hand: "add", thing: { kind: "entry", at: "web", key: "runner", content: 0 } },
      declare("all", thing("list", { content: 1 })),
      ...DESCRIBED,
    ),
  },
  {
    rule: "a plan tells that entries of a list stay which are declared on their own from then on",
    story: story(
      LIMITED,
      declare("all", thing("list", { content: 7 })),
      APPLY,
      { edit: "single", at: "web", stack: "a" },
      ...DESCRIBED,
    ),
  },
  {
    rule: "a plan tells that entries stay which become a whole list",
    story: story(
      LIMITED,
      declare("one", thing("entry", { content: 0 })),
      declare("two", thing("group_entry", { content: 0 })),
      APPLY,
      { edit: "whole", at: "web", stack: "a" },
      ...DESCRIBED,
    ),
  },
  ...[0, 1, 2, 3].map((content) => ({
    rule: `a plan tells who deploys to an environment of content ${content} and approves, before and after`,
    story: story(
      declare("one", thing("environment", { content })),
      ...DESCRIBED,
      { edit: "content", name: "one", content: content + 1 },
      ...DESCRIBED,
      { hand: "change", thing: { kind: "environment", at: "web", key: "production", content: content + 2 } },
      ...DESCRIBED,
    ),
  })),
  ...(["environment", "rule", "entry", "invitation"] as const).map((kind) => ({
    rule: `the requests of a replacement of ${kind} are those that its plan shows`,
    story: story(
      declare("one", thing(kind, { content: 1 })),
      APPLY,
      { edit: "retarget", name: "one", key: 1 },
      ...DESCRIBED,
      { edit: "drop", name: "one" },
      ...DESCRIBED,
    ),
  })),
  // The list of groups leaves out those that a maintainer does not see.
  ...KINDS.filter((kind) => kind !== "group_entry").map((kind) => ({
    rule: `a plan says whether a maintainer may make, change and delete ${kind}, and the apply is refused only then`,
    story: story(
      declare("one", thing(kind, { content: 1 })),
      ...BY_MAINTAINER,
      APPLY,
      { edit: "content", name: "one", content: 0 },
      ...BY_MAINTAINER,
      APPLY,
      { edit: "drop", name: "one" },
      ...BY_MAINTAINER,
    ),
  })),
];

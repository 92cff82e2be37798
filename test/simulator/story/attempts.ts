// What is tried again, and what is read again, as stories.
import type { RequestFault } from "../network/network";
import { KEYS } from "../world/objects";
import { APPLY, declare, KINDS, run, inOneStack as story, thing } from "./steps";
import type { HoldingStory } from "./story";

const PASSING: readonly RequestFault[] = ["429", "503", "unreachable", "answer lost", "cut"];

export const ATTEMPTS_STORIES: readonly HoldingStory[] = [
  ...PASSING.map((fault) => ({
    rule: `a read that fails twice in passing (${fault}) is no error`,
    story: story(
      declare("one", thing("environment")),
      declare("two", thing("entry")),
      APPLY,
      { edit: "content", name: "one", content: 2 },
      run({ network: [{ on: "GET", nth: 1, times: 2, fault }] }),
    ),
  })),
  {
    rule: "a read that always fails is tried a few times, and ends the run",
    story: story(
      declare("one", thing("environment")),
      APPLY,
      run({ network: [{ on: "GET", nth: 1, times: 10_000, fault: "503" }] }),
    ),
  },
  ...KINDS.map((kind) => ({
    rule: `a create of ${kind} that never arrives is an error`,
    story: story(
      declare("one", thing(kind)),
      run({ network: [{ on: "write", nth: 1, times: 20, fault: "request lost" }] }),
    ),
  })),
  ...(["environment", "rule", "invitation", "scope", "list"] as const).flatMap((kind) => [
    {
      rule: `a change of ${kind} that never arrives is an error`,
      story: story(
        declare("one", thing(kind)),
        APPLY,
        { edit: "content", name: "one", content: 2 },
        run({ network: [{ on: "write", nth: 1, times: 20, fault: "request lost" }] }),
      ),
    },
    {
      rule: `a delete of ${kind} that never arrives keeps it in the state`,
      story: story(
        declare("one", thing(kind)),
        APPLY,
        { edit: "drop", name: "one" },
        run({ network: [{ on: "write", nth: 1, times: 20, fault: "request lost" }] }),
      ),
    },
  ]),
  ...(["environment", "rule", "invitation", "entry"] as const).flatMap((kind) =>
    [2, 3, 4, 5].map((after) => ({
      rule: `what is deleted and gone by then is no error: somebody deletes ${kind} after request ${after}`,
      story: story(
        declare("one", thing(kind)),
        declare("two", thing(kind, { key: KEYS[kind][1]! })),
        APPLY,
        { edit: "drop", name: "one" },
        run({ meanwhile: [{ hand: "delete", thing: thing(kind), after }] }),
      ),
    })),
  ),
  ...(["environment", "rule", "invitation", "entry"] as const).flatMap((kind) =>
    (["request lost", "503"] as const).flatMap((fault) =>
      [1, 2].map((times) => ({
        rule: `what somebody made of ${kind} while a create was lost ${times} times (${fault}) is not taken over`,
        story: story(declare("one", thing(kind)), {
          run: {
            do: "apply",
            network: [{ on: "POST", nth: 1, times, fault }],
            meanwhile: [{ hand: "add", thing: thing(kind, { content: 2 }), after: 4 }],
          },
        }),
      })),
    ),
  ),
  ...[1, 2, 3].flatMap((nth) =>
    (["answer lost", "502 after", "request lost"] as const).map((fault) => ({
      rule: `of several entries that are written at once, write ${nth} (${fault}) is looked for in a list that is read afterwards`,
      story: {
        ...story(
          declare("one", thing("entry")),
          declare("two", thing("entry", { content: 0, key: "runner" })),
          declare("three", thing("group_entry")),
          declare("four", thing("group_entry", { content: 0, key: "approvers" })),
          APPLY,
          { edit: "drop", name: "one" },
          { edit: "drop", name: "three" },
          { edit: "retarget", name: "two", key: 0 },
          run({ network: [{ on: "write", nth, fault }] }),
        ),
        pageLimit: 1,
      },
    })),
  ),
  ...[1, 2, 3, 4, 5, 6].map((after) => ({
    rule: `a list that somebody changes after request ${after}, while it is read in pages, is read again`,
    story: {
      ...story(
        declare("all", thing("list", { content: 15 })),
        declare("one", { ...thing("entry"), at: "api" }),
        declare("two", { ...thing("entry", { content: 0, key: "runner" }), at: "api" }),
        APPLY,
        { edit: "content", name: "all", content: 9 },
        run({
          meanwhile: [
            { hand: "delete", thing: thing("entry"), after },
            { hand: "delete", thing: { ...thing("entry"), at: "api" }, after },
          ],
        }),
      ),
      pageLimit: 1,
    },
  })),
  ...(["environment", "rule"] as const).map((kind) => ({
    rule: `a replacement of ${kind} and another object of the list, whose answers are lost, are each done once`,
    story: story(
      declare("one", thing(kind)),
      declare("two", { ...thing(kind), at: "api" }),
      APPLY,
      { edit: "retarget", name: "one", key: 1 },
      { edit: "content", name: "two", content: 2 },
      run({ network: [{ on: "write", nth: 1, times: 3, fault: "answer lost" }] }),
    ),
  })),
];

import type { Step, Story } from "../story/story";
import type { Declaration } from "../world/app";
import type { Violation } from "../world/records";
import type { World } from "../world/world";
import { type Owners, ownersOf } from "./owners";

/**
 * A fault of today's code, with a story that shows it. Random runs leave out what `concerns` describes, and nothing else.
 * Who mends the fault removes its row, and keeps the story in `stories.ts`.
 */
export interface KnownFault {
  /** What happens, as a sentence. */
  readonly name: string;
  readonly invariant: string;
  readonly story: Story;
  readonly concerns: (owners: Owners, violation: Violation, world: World) => boolean;
}

const story = (stacks: readonly string[], steps: readonly Step[]): Story => ({
  seed: 1,
  keeping: "file",
  stacks,
  steps,
});
const declare = (stack: string, given: Partial<Declaration> & Pick<Declaration, "kind" | "name">): Step => ({
  edit: "declare",
  stack,
  declaration: { at: "web", key: "", content: 0, spelling: "path", ...given },
});
const APPLY: Step = { run: { do: "apply" } };
const isInSet = ({ kinds }: Owners): boolean => kinds.has("list");
const isRefusal = ({ invariant }: Violation): boolean =>
  invariant === "contestedIsNotWritten" || invariant === "contradictionsAreRefused";

export const KNOWN_FAULTS: readonly KnownFault[] = [
  {
    name: "A stack that takes over the entries of another one as a whole list has them removed",
    invariant: "declaredIsNeverRemoved",
    story: story(
      ["a", "b"],
      [
        declare("b", { kind: "entry", name: "one", key: "tools" }),
        declare("b", { kind: "group_entry", name: "two", key: "platform" }),
        APPLY,
        { edit: "whole", at: "web", stack: "a" },
        APPLY,
      ],
    ),
    concerns: (owners, violation) => isInSet(owners) && owners.stacks.size > 1 && !isRefusal(violation),
  },
  {
    name: "Of two stacks that declare a list and an entry of it for the first time, the first one is written before the second is refused",
    invariant: "contestedIsNotWritten",
    story: story(
      ["a", "b"],
      [
        declare("b", { kind: "list", name: "all", at: "api", content: 8 }),
        declare("a", { kind: "entry", name: "one", at: "api", key: "tools" }),
        APPLY,
      ],
    ),
    concerns: (owners, violation) => isRefusal(violation) && owners.stacks.size > 1,
  },
  {
    name: "What an interrupted run of one stack made is refused as already there in the stack that declares it now",
    invariant: "ownWorkIsKnown",
    story: story(
      ["a", "b"],
      [
        declare("b", { kind: "environment", name: "main", key: "production" }),
        { run: { do: "apply", crash: { afterWrite: 1 } } },
        { edit: "restack", name: "main", stack: "a" },
        APPLY,
      ],
    ),
    concerns: (owners, { invariant }, { runs }) =>
      invariant === "ownWorkIsKnown" &&
      owners.stacks.size > 1 &&
      runs.some(({ outcome }) => outcome === undefined),
  },
];

/** The known fault behind a violation, if it is one. */
export function knownFault(violation: Violation, world: World): KnownFault | undefined {
  const owners = ownersOf(world, violation.identity ?? "");
  return KNOWN_FAULTS.find(({ concerns }) => concerns(owners, violation, world));
}

import type { EqualInStacks } from "../document/equal";
import { paragraphs } from "../printing/paragraphs";
import type { Style } from "../printing/style";
import { renderDrifted } from "./drift";
import { renderEqualChanges } from "./equal-changes";
import { legend } from "./resource-change";

/** What is equal in several stacks, with the symbols of its actions. */
export function renderInSeveralStacks(groups: readonly EqualInStacks[], style: Style): string[] {
  const planned = groups.flatMap(({ objects: [first] }) => (first.action === undefined ? [] : [first]));
  return paragraphs([
    ...(planned.length === 0
      ? []
      : [["Resource actions are indicated with the following symbols:", ...legend(planned, style)]]),
    ...groups.map(({ objects, stacks }) =>
      objects[0].action === undefined
        ? renderDrifted(objects, style, stacks)
        : renderEqualChanges(objects, style, stacks),
    ),
  ]);
}

import type { DriftedObject, ResourceChange } from "../../engine";
import { type ChangedOutside, changedOutside } from "../difference";
import { isShown } from "../document/describe";
import { type Equal, groupEqual } from "../printing/equal";
import { paragraphs } from "../printing/paragraphs";
import type { Style } from "../printing/style";
import { driftKeyOf, renderEqualDrift } from "./drift";
import { changeKeyOf, renderEqualChanges } from "./equal-changes";
import { legend } from "./resource-change";
import type { ShownDrift, ShownPlan } from "./run-view";

interface InStack<T> {
  readonly stack: string;
  readonly item: T;
  readonly key: string | undefined;
}

type PlannedItem = InStack<ResourceChange> & { readonly outside: ChangedOutside };

/** The equal changes, or the equal drift, of different stacks: from five on they are one entry. */
export class EqualInStacks {
  readonly #changes: PlannedItem[] = [];
  readonly #drifted: InStack<DriftedObject>[] = [];
  #shared: ReadonlySet<ResourceChange | DriftedObject> | undefined;

  addPlan(stack: string, plan: ShownPlan): void {
    // A refresh-only plan shows drift in its own way.
    if (plan.mode === "refresh-only") return;
    const outside = changedOutside(plan);
    for (const item of plan.changes.filter(isShown))
      this.#changes.push({
        stack,
        item,
        key: changeKeyOf(item, outside(item)),
        outside: outside(item),
      });
  }

  addDrift(stack: string, { drifted }: Pick<ShownDrift, "drifted">): void {
    for (const item of drifted) this.#drifted.push({ stack, item, key: driftKeyOf(item) });
  }

  /** Whether an object is shown here and not with its stack. */
  has(item: ResourceChange | DriftedObject): boolean {
    this.#shared ??= new Set(
      [...groupsOf(this.#changes), ...groupsOf(this.#drifted)].flatMap((group) =>
        group.map((one) => one.item),
      ),
    );
    return this.#shared.has(item);
  }

  /** All entries. Empty if no equal changes are in different stacks. */
  render(style: Style): string[] {
    const changes = groupsOf(this.#changes);
    const actions = new Set(changes.map(([{ item }]) => item.action));
    return paragraphs([
      ...(changes.length === 0
        ? []
        : [["Resource actions are indicated with the following symbols:", ...legend(actions, style)]]),
      ...changes.map((group) =>
        renderEqualChanges(itemsOf(group), style, group[0].outside, stackCount(group)),
      ),
      ...groupsOf(this.#drifted).map((group) => renderEqualDrift(itemsOf(group), style, stackCount(group))),
    ]);
  }
}

/** The groups of equal items that are in several stacks. */
const groupsOf = <T extends InStack<object>>(items: readonly T[]): Equal<T>[] =>
  groupEqual(items, ({ key }) => key).filter((group) => stackCount(group) > 1);

const stackCount = (group: readonly InStack<object>[]): number =>
  new Set(group.map(({ stack }) => stack)).size;

const itemsOf = <T extends object>([first, ...rest]: Equal<InStack<T>>): Equal<T> => [
  first.item,
  ...rest.map(({ item }) => item),
];

import type { OutputChange, ResourceChange } from "../../engine";
import {
  changedOutside,
  compare,
  type Field,
  isDeletedOutside,
  NO_CONTEXT,
  overwritesOutside,
  renderFields,
} from "../difference";
import { isShown } from "../document/describe";
import { outsideSentences } from "../printing/outside-sentences";
import { paragraphs } from "../printing/paragraphs";
import type { Style } from "../printing/style";
import { groupEqualChanges, renderEqualChanges, shownElsewhere } from "./equal-changes";
import { relevantDrift } from "./relevant-drift";
import { legend, renderChange } from "./resource-change";
import type { ShownPlan } from "./run-view";
import { planCounts, planSentence } from "./summary";

/**
 * A plan for people: relevant drift, planned actions and the summary.
 *
 * @param planner the program that made the plan, and would apply it
 * @param isElsewhere whether a change is shown with those of other stacks
 */
export function renderPlan(
  plan: ShownPlan,
  style: Style,
  planner = "Steward",
  isElsewhere: (change: ResourceChange) => boolean = () => false,
): string[] {
  const [here, elsewhere] = [
    plan.changes.filter((change) => !isElsewhere(change)),
    plan.changes.filter(isElsewhere),
  ];
  const moved = new Set(elsewhere.map(({ address }) => address));
  const own = {
    ...plan,
    changes: here,
    drift: plan.drift.filter(({ address }) => !moved.has(address)),
  };
  return paragraphs([
    ...renderDrift(own, style, planner),
    ...renderActions({ ...plan, changes: here }, style, planner),
    shownElsewhere(elsewhere.length),
    renderOutputChanges(plan.outputs, style),
    [...renderSummary(plan, style), ...renderOverwritten(plan, style, planner)],
  ]);
}

function renderDrift(plan: ShownPlan, style: Style, planner: string): string[][] {
  const { mode } = plan;
  const drift = relevantDrift(plan);
  if (drift.length === 0) return [];
  const blocks = drift.map((change) =>
    change.action === "no-op"
      ? renderChange(change, style)
      : renderChange(change, style, {
          headline: change.action === "delete" ? "has been deleted" : "has changed",
        }),
  );
  const consequence =
    mode === "refresh-only"
      ? "Applying this plan updates the state with these changes and leaves the service unchanged."
      : "The plan below shows where the configuration differs.";
  return [
    [style.bold(`Note: Objects have changed outside of ${planner}`)],
    [`${planner} found these differences between the service and the last run:`],
    ...blocks,
    [consequence],
  ];
}

function renderActions(plan: ShownPlan, style: Style, planner: string): string[][] {
  const { changes, mode, applicable } = plan;
  const outside = changedOutside(plan);
  const listed = changes.filter(isShown);
  if (listed.length === 0 || mode === "refresh-only") return [];
  // Moves and imports have no symbol.
  const symbols = legend(new Set(listed.map(({ action }) => action)), style);
  return [
    ...(symbols.length === 0
      ? []
      : [["Resource actions are indicated with the following symbols:", ...symbols]]),
    [
      applicable
        ? `${planner} will perform the following actions:`
        : `${planner} planned the following actions, but then encountered a problem:`,
    ],
    ...groupEqualChanges(listed, outside).map((group) =>
      group.length === 1
        ? renderChange(group[0], style, { outside: outside(group[0]) })
        : renderEqualChanges(group, style, outside(group[0])),
    ),
  ];
}

/** The changed outputs. Empty if there are none. */
function renderOutputChanges(outputs: readonly OutputChange[], style: Style): string[] {
  const fields = outputs
    .filter(({ action }) => action !== "no-op")
    .map(({ name, action, before, after, sensitive }): Field => {
      const difference = compare(
        action === "create" ? undefined : before,
        action === "delete" ? undefined : after,
        { ...NO_CONTEXT, secret: sensitive },
      );
      return { name, difference };
    });
  if (fields.length === 0) return [];
  return ["Changes to Outputs:", ...renderFields(fields, { depth: -1, style })];
}

function renderSummary(plan: ShownPlan, style: Style): string[] {
  const count = style.bold(planSentence(planCounts(plan)));
  if (!plan.hasChanges) return plan.unchecked.length > 0 ? [count] : renderNoChanges(plan, style);
  if (plan.mode === "refresh-only" || plan.changes.some(isShown)) return [count];
  return [
    count,
    "Only output values change: applying saves them to the state and leaves the service unchanged.",
  ];
}

/** How many objects the plan changes or creates after somebody changed or deleted them outside. */
function renderOverwritten(plan: ShownPlan, style: Style, planner: string): string[] {
  const outside = changedOutside(plan);
  const changed = plan.changes.filter((change) => overwritesOutside(change, outside(change))).length;
  const deleted = plan.changes.filter((change) => isDeletedOutside(outside(change))).length;
  return outsideSentences({ changed, deleted }, { planner }).map(style.yellow);
}

function renderNoChanges({ mode, diagnostics }: ShownPlan, { bold, green }: Style): string[] {
  // After an error the plan is incomplete.
  if (diagnostics.some(({ severity }) => severity === "error")) return [];
  if (diagnostics.some(({ code }) => code === "taken_over_later"))
    return [bold("No changes in this run: destroys are postponed, see the warnings.")];
  const message = {
    normal: "Your infrastructure matches the configuration.",
    destroy: "No objects need to be destroyed.",
    "refresh-only": "Your infrastructure still matches the state.",
  }[mode];
  return [bold(`${green("No changes.")} ${message}`)];
}

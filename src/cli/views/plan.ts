import { oneLine } from "../../text";
import { renderFields } from "../difference";
import type { PlannedStack } from "../document/counts";
import { outsideCounts } from "../document/describe";
import { groupEqualObjects } from "../document/equal";
import type { Report, ReportObject } from "../document/model";
import { paragraphs } from "../terminal/terminal";
import type { Style } from "../terminal/text";
import { legend, renderChange, shownElsewhere } from "./resource-change";
import { outsideSentences, planSentence } from "./summary";

/**
 * Renders a plan for people: relevant drift, planned actions and the summary.
 *
 * @param planner the program that made the plan, and would apply it
 * @param elsewhere the objects that are shown together with objects of other stacks
 */
export function renderPlan(
  planned: PlannedStack,
  style: Style,
  planner = "Steward",
  elsewhere: ReadonlySet<ReportObject> = new Set(),
): string[] {
  const { objects, outside } = planned;
  const here = objects.filter((object) => !elsewhere.has(object));
  const moved = new Set(objects.flatMap((object) => (elsewhere.has(object) ? [object.address] : [])));
  const own = {
    ...planned,
    objects: here,
    outside: outside.filter(({ address }) => !moved.has(address)),
  };
  return paragraphs([
    ...renderOutside(own, style, planner),
    ...renderActions(own, style, planner),
    shownElsewhere(objects.length - here.length),
    renderOutputChanges(planned, style),
    [
      ...renderSummary(planned, style),
      ...outsideSentences(outsideCounts(objects), { planner }).map(style.yellow),
    ],
  ]);
}

function renderOutside({ plan, objects, outside }: PlannedStack, style: Style, planner: string): string[][] {
  const isRefresh = plan.mode === "refresh-only";
  const shown = isRefresh ? objects : outside;
  if (shown.length === 0) return [];
  const blocks = shown.map((object) => renderChange([object], style, { headline: outsideHeadline(object) }));
  const consequence = isRefresh
    ? "Applying this plan updates the state with these changes and leaves the service unchanged."
    : "The plan below shows where the configuration differs.";
  return [
    [style.bold(`Note: Objects have changed outside of ${planner}`)],
    [`${planner} found these differences between the service and the last run:`],
    ...blocks,
    [consequence],
  ];
}

/** Returns the headline for an object that changed outside; undefined if only its address in the state changes. */
function outsideHeadline({ action }: ReportObject): string | undefined {
  if (action === "move") return undefined;
  return action === "delete" ? "has been deleted" : "has changed";
}

/** Whether a plan shows the object: the object changes, or its place in the state changes. */
export const isListed = ({ action }: ReportObject): boolean => action !== "no-op";

function renderActions({ plan, objects }: PlannedStack, style: Style, planner: string): string[][] {
  const listed = objects.filter(isListed);
  const reverts = listed.filter((object) => object.is_revert === true);
  const own = listed.filter((object) => object.is_revert !== true);
  if (listed.length === 0 || plan.mode === "refresh-only") return [];
  return [
    legend(listed, style),
    [
      plan.applicable
        ? `${planner} will perform the following actions:`
        : `${planner} planned the following actions, but then encountered a problem:`,
    ],
    ...groupEqualObjects(own).map((group) => renderChange(group, style)),
    reverts.length === 0
      ? []
      : [style.bold("Reverts of manual changes:"), "They restore the values of the last apply."],
    ...groupEqualObjects(reverts).map((group) => renderChange(group, style)),
  ];
}

/** The changed outputs. Empty if there are none. */
function renderOutputChanges({ outputs }: PlannedStack, style: Style): string[] {
  const changed = outputs.flatMap(({ name, difference }) => (difference ? [{ name, difference }] : []));
  const fields = changed.filter(({ difference }) => difference.mark !== " ");
  if (changed.length === 0) return [];
  const unchanged = changed.length - fields.length;
  return ["Changes to Outputs:", ...renderFields(fields, { depth: -1, style, unchanged })];
}

function renderSummary(planned: PlannedStack, style: Style): string[] {
  const { plan, objects, unchecked } = planned;
  const count = style.bold(planSentence(plan.counts));
  if (!plan.has_changes) return unchecked.length > 0 ? [count] : renderNoChanges(planned, style);
  if (plan.mode === "refresh-only" || objects.some(isListed)) return [count];
  return [
    count,
    "Only output values change: applying saves them to the state and leaves the service unchanged.",
  ];
}

function renderNoChanges({ plan, diagnostics }: PlannedStack, { bold, green }: Style): string[] {
  // After an error the plan is incomplete.
  if (diagnostics.some(({ severity }) => severity === "error")) return [];
  if (diagnostics.some(({ code }) => code === "taken_over_later"))
    return [bold("No changes in this run: destroys are postponed, see the warnings.")];
  const message = {
    normal: "Your infrastructure matches the configuration.",
    destroy: "No objects need to be destroyed.",
    "refresh-only": "Your infrastructure still matches the state.",
  }[plan.mode];
  return [bold(`${green("No changes.")} ${message}`)];
}

/** The requests that an apply would send, by object; sensitive values are masked. */
export function renderRequests(
  requests: NonNullable<Report["requests"]>,
  objects: readonly ReportObject[],
  style: Style,
): string[] {
  const changing = objects.filter(
    ({ action = "no-op", same_as: sameAs }) => SENT.has(action) && sameAs === undefined,
  );
  const byAddress = new Map(
    [...changing, ...requests].map(({ address }) => [address, [] as typeof requests]),
  );
  for (const request of requests) byAddress.get(request.address)!.push(request);
  if (byAddress.size === 0)
    return [`${style.bold("Requests:")} none; the plan changes nothing on the service.`];
  const isPartial = requests.some(({ not_known: why }) => why !== undefined);
  const count = requests.filter(({ method }) => method !== undefined).length;
  return [
    style.bold("Requests of an apply:"),
    "",
    ...[...byAddress].flatMap(([address, own]) => [
      `  ${style.bold(`# ${oneLine(address)}`)}`,
      ...own.flatMap(({ method, path, body, not_known: why }) =>
        why === undefined
          ? [`  ${method} ${path}`, ...(body === undefined ? [] : [`    ${JSON.stringify(body)}`])]
          : [`  not known: ${why}`],
      ),
      ...(own.length === 0 ? ["  none"] : []),
      "",
    ]),
    `${style.bold("Requests:")} ${isPartial ? "at least " : ""}${count}.`,
  ];
}

/** The actions for which an apply calls a provider. */
const SENT: ReadonlySet<string> = new Set(["create", "update", "replace", "delete"]);

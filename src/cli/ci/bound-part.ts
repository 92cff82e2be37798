import { fail } from "../../diagnostics";
import { encodedText, objectName, type Value } from "../../engine";
import { compareStrictness } from "../../provider";
import { atMost, counted } from "../../text";
import {
  type Approval,
  type ApprovedChange,
  type ApprovedReceivers,
  nameOfApproved,
  verbOf,
} from "../approval/file";
import type { Report } from "../document/model";
import { leftBehind } from "../objects/object-facts";
import type { Approvers } from "../policy/approvers";
import { code, prose } from "../reports/formats/markdown-text";
import { emailMask } from "../reports/safe-report";
import { policyLines } from "./policy-lines";
import { terraformLines } from "./terraform-lines";

/**
 * The maximum number of characters of the lines about changes that do not loosen anything. The lines about changes that loosen
 * a setting are never shortened.
 */
const MOST = 300_000;
const MAX_LINE = 1_000;
const HEAD = "## Steward plan: ";

/**
 * Renders the part of a comment that people approve. The text depends only on the approval file and its digest. It shows the
 * digest, the required number of approvals, the people who may approve, and the changes. Changes that loosen a setting come
 * first. The same approval always gives the same text, so `ci apply` can recognize an edited comment.
 */
export function boundPart(approval: Approval, digest: string): string[] {
  const mask = emailMask();
  const described = approval.changes.map((change) => ({ change, isLooser: loosens(change) }));
  const looser = described.filter(({ isLooser }) => isLooser).flatMap(({ change }) => linesOf(change, true));
  const linesOfOthers = (isRevert: boolean): string[][] =>
    described
      .filter(({ change, isLooser }) => !isLooser && (change.is_revert === true) === isRevert)
      .map(({ change }) => linesOf(change, false).map(shortened));
  const own = linesOfOthers(false);
  const others = [...own, ...linesOfOthers(true)];
  const fitting = upTo(others, MOST);
  const left = others.length - fitting.length;
  const reverts = fitting.slice(own.length).flat();
  const rest = fitting.slice(0, own.length).flat();
  const plan = terraformLines(approval);
  return [
    `${HEAD}${totals(approval.changes)}`,
    "",
    ...unplannedLines(approval.unplanned ?? []),
    ...ruleLines(approval.rule_changes ?? []),
    `${TO_APPROVE}${code(digest)}, ${counted(approval.approvals, "approval")} needed.`,
    ...(approval.receivers === undefined ? [] : ["", receiversLine(approval.receivers)]),
    ...optionLines(approval.approvers),
    ...policyLines(approval),
    ...(looser.length > 0 ? ["", "**🔓 Loosens access**", "", ...looser] : []),
    ...(plan.programs.length > 0 ? ["", "**🔓 Runs programs**", "", ...plan.programs] : []),
    ...(rest.length > 0 ? ["", "**Changes**", "", ...rest] : []),
    ...(reverts.length > 0 ? ["", "**Reverts of manual changes**", "", ...reverts] : []),
    ...(left > 0 ? [`- ${counted(left, "more change")} in the approval file, without loosening access`] : []),
    ...(plan.others.length > 0 ? ["", "**The rest of Terraform's plan**", "", ...plan.others] : []),
    "",
    `<!-- steward approval ${digest} ${approval.commit ?? "none"} -->`,
  ].map(mask);
}

/** Returns lines about the stacks without a plan. The approval does not contain their changes. */
function unplannedLines(unplanned: NonNullable<Approval["unplanned"]>): string[] {
  if (unplanned.length === 0) return [];
  const lines = unplanned.map(({ stack, why }) => `- ❌ stack ${code(stack)}: ${prose(shortened(why))}`);
  return ["**Not in this approval**, because the plan failed:", "", ...lines, ""];
}

/**
 * Returns lines about the rules that the request changes. These lines come first, because the changed rules will judge all
 * later requests. The old rules judge only this request.
 */
function ruleLines(changes: NonNullable<Approval["rule_changes"]>): string[] {
  if (changes.length === 0) return [];
  const lines = changes.flatMap(({ what, is_looser: isLooser }) => {
    const [first = "", ...more] = what.split("\n").map((line) => code(shortened(line)));
    return [`- ${isLooser ? "🔓 " : ""}${first}`, ...more.map((line) => `  - ${line}`)];
  });
  return ["**This request changes rules.** The rules of the target branch judge it.", "", ...lines, ""];
}

const TO_APPROVE = "To approve: ";
const RECEIVERS = "Tokens are sent to: ";

/** Returns the line about the services and states to which the apply sends tokens. */
const receiversLine = ({ services, states }: ApprovedReceivers): string =>
  `${RECEIVERS}${[...services.map((one) => `service ${code(one)}`), ...states.map((one) => `states at ${code(one)}`)].join(", ") || "no service"}.`;

/** Returns the line about receivers of tokens in the text of a comment; undefined if there is no line about receivers. */
export function receiversIn(body: string): string | undefined {
  const lines = body.split(/\r?\n/).filter((line) => line !== "");
  const line = lines[lines.findIndex((one) => one.startsWith(TO_APPROVE)) + 1];
  return line?.startsWith(RECEIVERS) ? line : undefined;
}

/** Returns true if the text of a comment names exactly these receivers of tokens. */
export const showsReceivers = (body: string, receivers: ApprovedReceivers): boolean =>
  receiversIn(body) === emailMask()(receiversLine(receivers));

const NO_CHANGES = totals([]);

/** Returns true if a comment asks people to approve a plan without changes. */
export const showsNoChanges = (body: string): boolean =>
  body.split(/\r?\n/).find((line) => line.startsWith(HEAD)) === `${HEAD}${NO_CHANGES}`;

const shortened = (line: string): string =>
  line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE).replaceAll("`", "'")}… (shortened)`;

function upTo(all: readonly (readonly string[])[], most: number): readonly (readonly string[])[] {
  let length = 0;
  const end = all.findIndex((lines) => {
    length += lines.join("\n").length;
    return length > most;
  });
  return end < 0 ? all : all.slice(0, end);
}

/** Returns the totals of changes, in the words of a report's headline. */
function totals(changes: readonly ApprovedChange[]): string {
  const count = (...verbs: readonly string[]) =>
    changes.filter((change) => verbs.includes(verbOf(change))).length;
  const imported = changes.filter(({ import_id: id }) => id !== undefined).length;
  const more = [
    [imported, "to import"],
    [count("move"), "to move"],
    [count("forget"), "to forget"],
  ] as const;
  return [
    ...more.filter(([number]) => number > 0).map(([number, text]) => `${number} ${text}`),
    `${count("create", "replace")} to add`,
    `${count("update")} to change`,
    `${count("destroy", "replace")} to destroy`,
  ].join(", ");
}

function optionLines(approvers: Approvers | undefined): string[] {
  if (approvers === undefined) return [];
  const { allow_author: author, allow_committers: committers, bots = [], named, rules = [] } = approvers;
  return [
    ...(author ? ["🔓 A policy lets the author of this request approve it."] : []),
    ...(committers ? ["🔓 A policy lets people approve who pushed to the branch."] : []),
    ...(bots.length > 0 ? [`🔓 A policy lets these bots approve: ${code(bots.join(" "))}.`] : []),
    ...(named ? [`A policy names the approvers: ${code(named.join(" "))}.`] : []),
    ...rules.map(
      ({ rule, people, named: by }) =>
        `The policy ${code(rule)} needs ${counted(people, "approval")} from ${code(by.join(" "))}.`,
    ),
  ].flatMap((line) => ["", line]);
}

/**
 * Returns true if a change may allow more than before. Also returns true if Steward can't compare the values: for types without
 * rules about strictness, and for unknown values.
 */
function loosens({ type, action, before, after, live, stays_on_service: stays }: ApprovedChange): boolean {
  if (action === "import" || action === "move" || action === "forget" || stays === true) return false;
  const earlier = before ?? live ?? leftBehind(type, after);
  const found = compareStrictness(type as never, earlier, after ?? leftBehind(type, before));
  return found === "looser" || found === "mixed";
}

function linesOf(change: ApprovedChange, isLooser: boolean): string[] {
  const { in: place, import_id: imported, previous_address: previous, service, access } = change;
  const { is_revert: revert, gains = [] } = change;
  const facts = [
    ...(place === undefined ? [] : [code(place)]),
    `on ${code(service)}`,
    ...(revert === true ? ["reverts a manual change"] : []),
    ...(imported === undefined ? [] : [`import of ${code(imported)}`]),
    ...(previous === undefined ? [] : [`was ${code(previous)}`]),
  ].join(", ");
  const label = isLooser ? "🔓 " : "";
  return [
    `- ${label}${code(nameOfApproved(change))}: ${verbOf(change)}, ${facts}`,
    ...neededLines(change.needs),
    ...differences(change).map((line) => `  - ${code(line)}`),
    ...access.map((line) => `  - access: ${code(line)}`),
    ...gains.map(({ what, who }) => `  - gains: ${code(`${what}: ${who.join(", ")}`)}`),
  ];
}

/**
 * Returns one line about the approvals that a change needs because it violates policies. Returns no line if the change needs no
 * such approval.
 */
function neededLines(needs: ApprovedChange["needs"]): string[] {
  if (needs === undefined) return [];
  const named = (needs.approvers?.rules ?? []).map(
    ({ people, named: by }) => `${counted(people, "approval")} from ${code(by.join(" "))}`,
  );
  return [`  - needs ${[counted(needs.approvals, "approval"), ...named].join(", and ")}`];
}

/**
 * Returns the attributes that a change writes, one per line. The line for a list contains only the added and removed entries.
 */
function differences({ before, after, live }: ApprovedChange): string[] {
  const [old, now] = [before ?? live ?? {}, after ?? {}];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return names.flatMap((name) => {
    const [one, other] = [old[name] ?? null, now[name] ?? null];
    if (isSame(one, other)) return [];
    const whole = [`${name}: ${encodedText(one)} → ${encodedText(other)}`];
    if (!Array.isArray(one) || !Array.isArray(other)) return whole;
    const entries = [
      ...without(one, other).map((text) => `${name}: − ${text}`),
      ...without(other, one).map((text) => `${name}: + ${text}`),
    ];
    return entries.length > 0 ? entries : whole;
  });
}

const isSame = (one: Value, other: Value): boolean => JSON.stringify(one) === JSON.stringify(other);

const without = (some: readonly Value[], others: readonly Value[]): string[] =>
  some.filter((one) => !others.some((other) => isSame(one, other))).map(encodedText);

/**
 * Refuses a report whose changes differ from the approval file. Otherwise, people would read one plan and approve another
 * plan.
 *
 * @throws DiagnosticError `approval_differs`
 */
export function requireReportOf(
  { changes, unplanned = [] }: Approval,
  { stacks }: Report,
  file: string,
): void {
  const left = new Set<string | null>(unplanned.map(({ stack }) => stack));
  const approved = changes.map((change) => keyOf(`${nameOfApproved(change)}: ${verbOf(change)}`));
  const reported = stacks
    .filter(({ name }) => !left.has(name))
    .flatMap(({ name: stack, objects }) =>
      objects.flatMap(({ address, deposed, action }) => {
        if (action === undefined || action === "no-op" || action === "read") return [];
        const name = `${stack === null ? "" : `stack ${stack}: `}${objectName(address, deposed)}`;
        return [keyOf(`${name}: ${action === "delete" ? "destroy" : action}`)];
      }),
    );
  const differences = [
    ...missingIn(reported, approved).map((name) => `${name}, only in ${file}`),
    ...missingIn(approved, reported).map((name) => `${name}, only in the report`),
  ];
  if (differences.length === 0) return;
  fail({
    code: "approval_differs",
    summary: "Report of another plan",
    detail: [
      `The report and the approval ${file} contain different changes. Nothing was posted. Use a report and an approval file from the same run of \`steward plan\`.`,
      ...atMost(differences, 10),
    ],
  });
}

/**
 * Returns the name of an object in a form that is equal in reports and approvals. Reports mask the e-mail addresses in names
 * of instances.
 */
const keyOf = (name: string): string => emailMask()(name).replace(/\*\*\*\d*(?=@|%40)/g, "***");

function missingIn(some: readonly string[], all: readonly string[]): string[] {
  const left = [...some];
  return all.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

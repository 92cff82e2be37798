import type { ReportObject } from "../../../document/model";
import { type Content, html } from "../../../html";
import { ACTIONS, type Label, STATUSES } from "../entries";
import { hasPolicyViolation } from "../summary";

const UNKNOWN: Label = { kind: "unknown", sign: "!", word: "not planned" };
const UNCHECKED: Label = { kind: "unknown", sign: "!", word: "not checked" };

/** What happens to an object, or what a drift report found of it. */
export function labelOf({ action, status, unchecked }: ReportObject): Label {
  if (action !== undefined) return ACTIONS[action];
  return STATUSES[status] ?? (unchecked === true ? UNCHECKED : UNKNOWN);
}

/** What a change or drift means for access. */
export const STRICTNESS = {
  looser: { kind: "error", word: "loosens" },
  mixed: { kind: "error", word: "loosens and tightens" },
  tighter: { kind: "ok", word: "tightens" },
};

export const strictnessTag = (strictness: keyof typeof STRICTNESS) =>
  tag(STRICTNESS[strictness].kind, STRICTNESS[strictness].word);

/** What became of a change in an apply, and whether it could be planned or checked. */
export function outcomeOf(object: ReportObject): Outcome | undefined {
  const { status } = object;
  if (status === "failed") return hasPolicyViolation(object) ? "violates a policy" : "failed";
  if (status === "not_done") return "not started";
  return status === "done" ? "done" : undefined;
}

type Outcome = keyof typeof OUTCOME_KINDS;

const OUTCOME_KINDS = { failed: "error", "violates a policy": "error", "not started": "warning", done: "ok" };

export const outcomeTag = (outcome: Outcome) => tag(OUTCOME_KINDS[outcome], outcome);

export const tag = (kind: string, content: Content) => html`<span class="tag ${kind}">${content}</span>`;

export const labelTag = ({ kind, sign, word }: Label) => tag(kind, `${sign} ${word}`);

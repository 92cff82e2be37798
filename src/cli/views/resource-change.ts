import {
  type Action,
  type ActionReason,
  objectName,
  type ResourceChange,
  shownId,
  shownImportId,
} from "../../engine";
import { oneLine } from "../../text";
import { fieldsOf, renderFields } from "../difference";
import { fieldName, quote } from "../printing/printable";
import type { Style } from "../printing/style";

/** The word and the sign by which a plan tells what happens to an object. */
interface Wording {
  readonly sign: string;
  readonly legend: string;
  readonly headline: string;
  readonly paint: keyof Style;
}

/** What happens to an object that itself stays as it is: only its place in the state is another, or new. */
const UNCHANGED: Wording = { sign: "   ", legend: "", headline: "", paint: "bold" };

const wordingOf = (action: Action): Wording => (action === "no-op" ? UNCHANGED : WORDINGS[action]);

/** Whether a plan tells of a change: it does something, if only to the state. */
export const isTold = ({ action, importing, previousAddress }: ResourceChange): boolean =>
  action !== "no-op" || importing !== undefined || previousAddress !== undefined;

const WORDINGS: Readonly<Record<Exclude<Action, "no-op">, Wording>> = {
  create: { sign: "  +", legend: "create", headline: "will be created", paint: "green" },
  read: { sign: " <=", legend: "read (data sources)", headline: "will be read during apply", paint: "cyan" },
  update: { sign: "  ~", legend: "update in-place", headline: "will be updated in-place", paint: "yellow" },
  delete: { sign: "  -", legend: "destroy", headline: "will be destroyed", paint: "red" },
  "delete-then-create": {
    sign: "-/+",
    legend: "destroy and then create replacement",
    headline: "must be replaced",
    paint: "red",
  },
  forget: {
    sign: "  .",
    legend: "forget",
    headline: "will no longer be managed by Steward, but will not be destroyed",
    paint: "red",
  },
  "create-then-delete": {
    sign: "+/-",
    legend: "create replacement and then destroy",
    headline: "must be replaced",
    paint: "red",
  },
};

/** The lines that explain the signs of the actions in a plan. */
export const legend = (actions: ReadonlySet<Action>, style: Style): string[] =>
  Object.entries(WORDINGS)
    .filter(([action]) => actions.has(action as Action))
    .map(([, { sign, legend, paint }]) => `${style[paint](sign)} ${legend}`);

/** One object of a plan as a block of lines, in the manner of Terraform. Without a headline, it is the plan's own. */
export function renderChange(change: ResourceChange, style: Style, headline?: string): string[] {
  const { sign, paint } = wordingOf(change.action);
  const comments = [
    style.bold(`  # ${headline === undefined ? planHeadline(change) : `${named(change)} ${headline}`}`),
    ...reasonComment(change),
    ...placeComments(change),
    ...(change.construct === undefined ? [] : [`  # (construct ${oneLine(change.construct)})`]),
  ];
  const keyword = change.mode === "data" ? "data" : "resource";
  const fields = renderFields(fieldsOf(change), { depth: 0, style, closesWithNull: true, identifies: true });
  return [
    ...comments,
    `${style[paint](sign)} ${keyword} ${quote(change.type)} ${quote(change.name)} {`,
    ...fields,
    "    }",
  ];
}

const named = ({ address, deposed }: ResourceChange): string => oneLine(objectName(address, deposed));

function planHeadline(change: ResourceChange): string {
  const { action, importing, previousAddress } = change;
  if (action === "no-op" && importing === undefined && previousAddress !== undefined)
    return moveSentence(change, previousAddress);
  return `${named(change)} ${verdict(change)}`;
}

function verdict({ action, reason }: ResourceChange): string {
  if (reason === "replace_because_tainted") return "is tainted, so must be replaced";
  if (reason === "replace_by_request") return "will be replaced, as requested";
  if (reason === "replace_by_triggers" && action !== "create")
    return "will be replaced due to changes in replace_triggered_by";
  return action === "no-op" ? "will be imported" : WORDINGS[action].headline;
}

/** What became of an object that another address held before. */
function moveSentence(change: ResourceChange, previousAddress: string): string {
  const id = shownId(change.before, change.beforeSensitive);
  const which = id !== undefined ? `the same object, id ${id}` : "the same object";
  return `${oneLine(previousAddress)} has moved to ${named(change)} (${oneLine(which)})`;
}

/** Where an object that also changes comes from. */
function placeComments(change: ResourceChange): string[] {
  const { action, previousAddress, importing, sameAs, takesOver } = change;
  const isMoveAlone = action === "no-op" && importing === undefined;
  const destroys = action === "delete-then-create" || action === "create-then-delete";
  return [
    ...(previousAddress === undefined || isMoveAlone ? [] : [`  # ${moveSentence(change, previousAddress)}`]),
    ...(sameAs === undefined ? [] : [`  # (${oneLine(sameAs)} declares it, and keeps it)`]),
    ...(takesOver === undefined
      ? []
      : [`  # (it is there already: it takes over what ${oneLine(takesOver)} has)`]),
    ...(importing === undefined ? [] : [`  # (imported from ${quote(shownImportId(change))})`]),
    ...(importing !== undefined && destroys ? ["  # Warning: this will destroy the imported object"] : []),
  ];
}

const REASONS: Readonly<Partial<Record<ActionReason, (change: ResourceChange) => string>>> = {
  delete_because_no_resource_config: ({ type, name }) =>
    `because ${fieldName(type)}.${fieldName(name)} is not in configuration`,
  delete_because_wrong_repetition: ({ indexKey }) =>
    indexKey === undefined
      ? "because resource uses count or for_each"
      : `because resource does not use ${typeof indexKey === "number" ? "count" : "for_each"}`,
  delete_because_count_index: ({ indexKey }) => `because index [${indexKey}] is out of range for count`,
  delete_because_no_move_target: ({ address, previousAddress }) =>
    `because ${oneLine(previousAddress ?? "")} was moved to ${oneLine(address)}, which is not in configuration`,
  delete_because_each_key: ({ indexKey }) =>
    `because key [${quote(String(indexKey))}] is not in for_each map`,
  read_because_config_unknown: () => "config refers to values not yet known",
  read_because_dependency_pending: () => "depends on a resource with changes pending",
  read_because_check_nested: () => "config will be reloaded to verify a check block",
};

function reasonComment(change: ResourceChange): string[] {
  const reason =
    change.deposed === undefined
      ? change.reason && REASONS[change.reason]?.(change)
      : "left over from a partially-failed replacement of this instance";
  return reason === undefined ? [] : [`  # (${reason})`];
}

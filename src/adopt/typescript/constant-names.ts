import { groupBy } from "../../schema";
import { type Code, type Entry, type ObjectCode, propertyOf } from "./code";
import { constantCase } from "./names";

/** The position of a value in the settings: the name of its option, and its key if the option has keys. */
export interface Context {
  readonly option?: string;
  readonly key?: string;
}

/** The maximum length of a descriptive name. A longer name is replaced by a short name with a number. */
const LONGEST = 60;

/** Returns possible names for a constant, the best name first. Each later name describes more of the value. */
export function constantNames(code: Code, contexts: readonly Context[]): string[] {
  const [first, ...others] = candidates(code, contexts).filter((name) => name !== "");
  if (first === undefined) return ["SHARED"];
  return [first, ...others.filter((name) => name.length <= LONGEST)];
}

/** Returns a function that checks whether a text occurs in exactly one of these lists. */
export function occurOnce(lists: readonly (readonly string[])[]): (text: string) => boolean {
  const times = groupBy(
    lists.flatMap((texts) => [...new Set(texts)]),
    (text) => text,
  );
  return (text) => times.get(text)?.length === 1;
}

/**
 * Returns, for each constant, the candidates that no other constant has. If all candidates are shared, returns the constant's
 * best candidate.
 */
export function distinctNames(candidates: readonly (readonly string[])[]): string[][] {
  const isDistinct = occurOnce(candidates);
  return candidates.map((names) => {
    const own = names.filter(isDistinct);
    return own.length > 0 ? own : names.slice(0, 1);
  });
}

function candidates(code: Code, contexts: readonly Context[]): string[] {
  const { option = "", key } = mostFrequent(contexts);
  switch (code.kind) {
    case "list":
      return listNames(code.items, option);
    case "object":
      if (key === undefined) return objectNames(code, option);
      return option === "protectedEnvironments" ? environmentNames(key, code) : [ruleName(code)];
    default:
      return [];
  }
}

/**
 * Returns possible names for a path, such as `DEPLOY_TOOLS` for `acme/deploy-tools`. Longer names include the groups of the path.
 */
function pathNames(path: string): string[] {
  const steps = path.split("/");
  return steps.map((_, at) => constantCase(steps.slice(-1 - at).join("_")));
}

/** Returns possible names for a list: `MAINTAINERS_AND_RELEASE_MANAGERS`, `ONLY_DEPLOY_TOOLS`, `APPROVED_BY_2_MAINTAINERS`. */
function listNames(items: readonly Code[], option: string): string[] {
  const names = namesOfItems(items);
  if (option === "approvalRules") return names.map((name) => `APPROVED_BY_${name}`);
  return items.every(({ kind }) => kind === "text") && items.length === 1
    ? names.map((name) => `ONLY_${name}`)
    : names;
}

/**
 * Returns possible names for a list, such as `MAINTAINERS_AND_PRIYA`. For many items, the first name is short, such as
 * `SVC_01_AND_4_OTHERS`, and the second name contains all items.
 */
function namesOfItems(items: readonly Code[]): string[] {
  const names = items.map(itemName).filter((name) => name !== "");
  const all = names.join("_AND_");
  return names.length <= 3 ? [all] : [`${names[0]}_AND_${names.length - 1}_OTHERS`, all];
}

const expressionOf = (object: ObjectCode, name: string): string | undefined => {
  const value = propertyOf(object, name);
  return value?.kind === "expression" ? value.text : undefined;
};

/** Returns the text after the first dot of an expression, such as `MAINTAINER` for `AccessLevel.MAINTAINER`. */
const memberOf = (expression: string): string => expression.slice(expression.indexOf(".") + 1);

/** Returns the items of a list in an object; undefined if the object has no list with this name. */
const itemsOf = (object: ObjectCode, name: string): readonly Code[] | undefined => {
  const value = propertyOf(object, name);
  return value && (value.kind === "list" ? value.items : []);
};

/** Returns the name of the user, group, role or project that an element refers to. */
function itemName(item: Code): string {
  if (item.kind === "text") return pathNames(item.text)[0]!;
  if (item.kind !== "object") return "";
  const approvals = expressionOf(item, "requiredApprovals") ?? "1";
  const times = approvals === "1" ? "" : `${approvals}_`;
  const level = expressionOf(item, "accessLevel");
  if (level !== undefined) return `${times}${memberOf(level)}S`;
  const who = propertyOf(item, "group") ?? propertyOf(item, "user");
  if (who?.kind !== "text") return "";
  return `${times === "" ? "" : `${times}OF_`}${pathNames(who.text)[0]}`;
}

/**
 * Returns possible names for an environment. The first name has no details, such as `PRODUCTION_ENVIRONMENT`. Other names also
 * contain who deploys or approves: `PRODUCTION_BY_MAINTAINERS`, `PRODUCTION_WITH_2_APPROVALS`,
 * `PRODUCTION_BY_MAINTAINERS_APPROVED_BY_2_RELEASE_TEAM`.
 */
function environmentNames(key: string, environment: ObjectCode): string[] {
  const name = constantCase(key) || "PROTECTED";
  const rules = itemsOf(environment, "approvalRules") ?? [];
  const approvals = approvalsOf(rules);
  const by = namesOfItems(itemsOf(environment, "deployAccessLevels") ?? []).map((who) =>
    who === "" ? "" : `_BY_${who}`,
  );
  const approvers = namesOfItems(rules).map((who) => (who === "" ? "" : `_APPROVED_BY_${who}`));
  const differences = [
    ...by.slice(0, 1),
    approvals,
    ...by.slice(0, 1).map((who) => who && `${who}${approvals}`),
    ...approvers,
    ...by.slice(1),
    ...by.flatMap((who) => approvers.map((approver) => who && `${who}${approver}`)),
  ];
  return [
    `${name}_ENVIRONMENT`,
    ...differences.filter((each) => each !== "").map((each) => `${name}${each}`),
    ...differences.slice(0, 1).map((each) => `${name}${each}_ENVIRONMENT`),
  ];
}

/**
 * Returns possible names for one difference from a baseline: `PRODUCTION_BY_MAINTAINERS`, `PRODUCTION_WITH_2_APPROVALS`,
 * `NO_STAGING`, `PLUS_STAGING_BY_DEVELOPERS`, `ALLOWLIST_OF_DEPLOY_TOOLS`, `NO_CONTAINER_RULES`. Returns an empty list if the
 * value is short or no name describes it.
 */
export function layerNames([option, value]: Entry, baseline: ObjectCode): string[] {
  if (typeof option !== "string") return [];
  const isDropped = value.kind === "expression" && value.text === UNMANAGED;
  if (value.kind !== "object") return isDropped ? [`NO_${OPTION_NAMES[option] ?? constantCase(option)}`] : [];
  const [key, change] = value.entries[0]!;
  if (option === "allowlist")
    return change.kind === "list" && change.items.length > 0 ? allowlistNames(change.items) : [];
  const name = option === "protectedEnvironments" ? constantCase(keyText(key)) : "";
  if (name === "") return [];
  if (change.kind !== "object") return [`NO_${name}`];
  const common = propertyOf(baseline, option);
  const isKnown =
    common?.kind === "object" && common.entries.some(([each]) => keyText(each) === keyText(key));
  return changeNames(change).map((each) => `${isKnown ? "" : "PLUS_"}${name}${each}`);
}

/** The expression that removes a setting of the baseline from one project. */
export const UNMANAGED = "Fleet.unmanaged";

const OPTION_NAMES: Readonly<Record<string, string>> = {
  protectedEnvironments: "ENVIRONMENTS",
  containerProtectionRules: "CONTAINER_RULES",
};

/** Returns the name suffixes for the changes of an environment: `_BY_MAINTAINERS`, `_WITH_2_APPROVALS`, or both. */
function changeNames(change: ObjectCode): string[] {
  const [deployers, rules] = [itemsOf(change, "deployAccessLevels"), itemsOf(change, "approvalRules")];
  const by = deployers === undefined ? [""] : namesOfItems(deployers).map((who) => `_BY_${who}`);
  const approvals =
    rules === undefined
      ? [""]
      : [approvalsOf(rules), ...namesOfItems(rules).map((who) => `_APPROVED_BY_${who}`)];
  return approvals.flatMap((how) => by.map((who) => `${who}${how}`)).filter((name) => name !== "");
}

const keyText = (key: Entry[0]): string => {
  if (typeof key === "string") return key;
  return key.kind === "text" ? key.text : "";
};

/** Returns a suffix such as `_WITH_2_APPROVALS`. The number in the suffix is the sum of the approvals that all rules require. */
function approvalsOf(rules: readonly Code[]): string {
  if (rules.length === 0) return "_WITHOUT_APPROVAL";
  const count = rules
    .map((rule) => Number((rule.kind === "object" && expressionOf(rule, "requiredApprovals")) || 1))
    .reduce((sum, each) => sum + each, 0);
  return `_WITH_${count}_APPROVAL${count === 1 ? "" : "S"}`;
}

/** `PUSH_BY_MAINTAINERS_DELETE_BY_OWNERS`. */
const ruleName = ({ entries }: ObjectCode): string =>
  entries
    .flatMap(([key, value]) => {
      const action = typeof key === "string" ? /^minimumAccessLevelFor(\w+)$/.exec(key)?.[1] : undefined;
      if (action === undefined || value.kind !== "expression") return [];
      return [`${action.toUpperCase()}_BY_${memberOf(value.text)}S`];
    })
    .join("_");

function objectNames({ entries }: ObjectCode, option: string): string[] {
  const keys = entries.flatMap(([key]) => (typeof key === "string" || key.kind !== "text" ? [] : [key.text]));
  const name = constantCase(option.replace(/([A-Z])/g, "_$1"));
  if (option === "allowlist")
    return allowlistNames(entries.flatMap(([, value]) => (value.kind === "list" ? value.items : [])));
  return [
    ...(keys.length > 0 && keys.length <= 3
      ? [`${constantCase(keys.join("_AND_"))}_${name.replace("PROTECTED_", "")}`]
      : []),
    name,
  ];
}

/**
 * Returns possible names for an allowlist: `EMPTY_ALLOWLIST`, `ALLOWLIST_OF_DEPLOY_TOOLS`, `SHARED_ALLOWLIST`, or
 * `ALLOWLIST_OF_DEPLOY_TOOLS_AND_3_OTHERS`.
 */
function allowlistNames(items: readonly Code[]): string[] {
  const names = items.map(itemName).filter((name) => name !== "");
  const whole = `ALLOWLIST_OF_${names.join("_AND_")}`;
  if (names.length === 0) return [items.length === 0 ? "EMPTY_ALLOWLIST" : "ALLOWLIST"];
  return names.length <= 2
    ? [whole]
    : ["SHARED_ALLOWLIST", `ALLOWLIST_OF_${names[0]}_AND_${names.length - 1}_OTHERS`, whole];
}

function mostFrequent(contexts: readonly Context[]): Context {
  const [most] = [...groupBy(contexts, (context) => JSON.stringify(context))].sort(
    ([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1),
  );
  return most?.[1][0] ?? {};
}

import { type Code, type Entry, keyOf, list, type ObjectCode } from "./code";
import { constantCase } from "./names";

/** Where a value stands: the option that it is the value of, and the key in an option with keys. */
export interface Context {
  readonly option?: string;
  readonly key?: string;
}

/** How long a name may be that tells a constant from others; what is longer is numbered. */
const LONGEST = 60;

/** Names for a constant, the best one first: each tells more of its value than the one before. */
export function constantNames(code: Code, contexts: readonly Context[]): string[] {
  const [first, ...others] = candidates(code, contexts).filter((name) => name !== "");
  if (first === undefined) return ["SHARED"];
  return [first, ...others.filter((name) => name.length <= LONGEST)];
}

/** The names of each constant that no other constant could have too; the best one of all if there is none. */
export function distinctNames(candidates: readonly (readonly string[])[]): string[][] {
  const times = new Map<string, number>();
  for (const name of candidates.flatMap((names) => [...new Set(names)]))
    times.set(name, (times.get(name) ?? 0) + 1);
  return candidates.map((names) => {
    const own = names.filter((name) => times.get(name) === 1);
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

/** `acme/deploy-tools` → `DEPLOY_TOOLS`, else with the names before it. */
function pathNames(path: string): string[] {
  const steps = path.split("/");
  return steps.map((_, at) => constantCase(steps.slice(-1 - at).join("_")));
}

/** What a list names: `MAINTAINERS_AND_RELEASE_MANAGERS`, `ONLY_DEPLOY_TOOLS`, `APPROVED_BY_2_MAINTAINERS`. */
function listNames(items: readonly Code[], option: string): string[] {
  const names = namesOfItems(items);
  if (option === "approvalRules") return names.map((name) => `APPROVED_BY_${name}`);
  return items.every(({ kind }) => kind === "text") && items.length === 1
    ? names.map((name) => `ONLY_${name}`)
    : names;
}

/** `MAINTAINERS_AND_PRIYA`, or `SVC_01_AND_4_OTHERS` and then all of them. */
function namesOfItems(items: readonly Code[]): string[] {
  const names = items.map(itemName).filter((name) => name !== "");
  const all = names.join("_AND_");
  return names.length <= 3 ? [all] : [`${names[0]}_AND_${names.length - 1}_OTHERS`, all];
}

/** Who or what an element names. */
function itemName(item: Code): string {
  if (item.kind === "text") return pathNames(item.text)[0]!;
  if (item.kind !== "object") return "";
  const value = (name: string): Code | undefined => item.entries.find(([key]) => key === name)?.[1];
  const approvals = value("requiredApprovals");
  const times = approvals?.kind === "expression" && approvals.text !== "1" ? `${approvals.text}_` : "";
  const level = value("accessLevel");
  if (level?.kind === "expression") return `${times}${level.text.slice(level.text.indexOf(".") + 1)}S`;
  const who = value("group") ?? value("user");
  if (who?.kind !== "text") return "";
  return `${times === "" ? "" : `${times}OF_`}${pathNames(who.text)[0]}`;
}

/**
 * `PRODUCTION_ENVIRONMENT`, after the name that it has most often, else with who deploys or who approves:
 * `PRODUCTION_BY_MAINTAINERS`, `PRODUCTION_WITH_2_APPROVALS`, `PRODUCTION_BY_MAINTAINERS_APPROVED_BY_2_RELEASE_TEAM`.
 */
function environmentNames(key: string, { entries }: ObjectCode): string[] {
  const name = constantCase(key) || "PROTECTED";
  const items = (option: string): readonly Code[] => {
    const value = entries.find(([each]) => each === option)?.[1];
    return value?.kind === "list" ? value.items : [];
  };
  const rules = items("approvalRules");
  // What changes a part of another environment is named after that part.
  const isPart = entries.some(([each]) => typeof each === "string" && each.startsWith("..."));
  const approvals = isPart && rules.length === 0 ? "" : approvalsOf(rules);
  const by = namesOfItems(items("deployAccessLevels")).map((who) => (who === "" ? "" : `_BY_${who}`));
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
    ...(isPart ? [] : [`${name}_ENVIRONMENT`]),
    ...differences.filter((each) => each !== "").map((each) => `${name}${each}`),
    ...differences.slice(0, 1).map((each) => `${name}${each}_ENVIRONMENT`),
  ];
}

/**
 * Names of the environments of projects that differ from a baseline in one of them, or lack some: `PRODUCTION_BY_MAINTAINERS`,
 * `PLUS_PRODUCTION_BY_MAINTAINERS`, `NO_STAGING`, `PRODUCTION_BY_MAINTAINERS_NO_STAGING`; none for other differences.
 */
export function variantNames([option, value]: Entry, baseline: ObjectCode): string[] {
  const common = baseline.entries.find(([name]) => name === option)?.[1];
  if (option !== "protectedEnvironments" || value.kind !== "object" || common?.kind !== "object") return [];
  const [first, second] = value.entries.filter(([, each]) => each.kind === "object");
  if (second !== undefined) return [];
  const keys = new Set(value.entries.map(([key]) => keyText(key)));
  const isWhole = [...keys].some((key) => key.startsWith("..."));
  const missing = common.entries.map(([key]) => keyText(key)).filter((key) => !isWhole && !keys.has(key));
  const without = missing.length === 0 ? "" : `NO_${missing.map(constantCase).join("_OR_")}`;
  if (first?.[1].kind !== "object") return without === "" ? [] : [without];
  const before = common.entries.find(([key]) => keyText(key) === keyText(first[0]))?.[1];
  const environment = `${before === undefined ? "PLUS_" : ""}${constantCase(keyText(first[0]))}`;
  const names = changeNames(first[1], before).map((name) => `${environment}${name}`);
  return without === "" ? names : names.map((name) => `${name}_${without}`);
}

/** What an environment has otherwise than another one: `_BY_MAINTAINERS`, `_WITH_2_APPROVALS`, or both. */
function changeNames({ entries }: ObjectCode, common: Code | undefined): string[] {
  const isSpread = entries.some(([name]) => keyText(name).startsWith("..."));
  const attributeOf = (name: string, all: readonly Entry[]) => all.find(([one]) => one === name)?.[1];
  const changed = (name: string): readonly Code[] | undefined => {
    const own = attributeOf(name, entries) ?? (isSpread ? undefined : list([]));
    const before = common?.kind === "object" ? attributeOf(name, common.entries) : undefined;
    return own?.kind !== "list" || keyOf(own) === keyOf(before ?? list([])) ? undefined : own.items;
  };
  const [deployers, rules] = [changed("deployAccessLevels"), changed("approvalRules")];
  const by = deployers === undefined ? [""] : namesOfItems(deployers).map((who) => `_BY_${who}`);
  const approvals =
    rules === undefined
      ? [""]
      : [approvalsOf(rules), ...namesOfItems(rules).map((who) => `_APPROVED_BY_${who}`)];
  return approvals.flatMap((how) => by.map((who) => `${who}${how}`)).filter((name) => name !== "");
}

const keyText = (key: Entry[0]): string =>
  typeof key === "string" ? key : key.kind === "text" ? key.text : "";

/** `_WITH_2_APPROVALS`: of all rules together. */
function approvalsOf(rules: readonly Code[]): string {
  if (rules.length === 0) return "_WITHOUT_APPROVAL";
  const count = rules
    .map((rule) => {
      const required =
        rule.kind === "object" && rule.entries.find(([name]) => name === "requiredApprovals")?.[1];
      return required && required.kind === "expression" ? Number(required.text) : 1;
    })
    .reduce((sum, each) => sum + each, 0);
  return `_WITH_${count}_APPROVAL${count === 1 ? "" : "S"}`;
}

/** `PUSH_BY_MAINTAINERS_DELETE_BY_OWNERS`. */
const ruleName = ({ entries }: ObjectCode): string =>
  entries
    .flatMap(([key, value]) => {
      const action = typeof key === "string" ? /^minimumAccessLevelFor(\w+)$/.exec(key)?.[1] : undefined;
      if (action === undefined || value.kind !== "expression") return [];
      return [`${action.toUpperCase()}_BY_${value.text.slice(value.text.indexOf(".") + 1)}S`];
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

/** `EMPTY_ALLOWLIST`, `ALLOWLIST_OF_DEPLOY_TOOLS`, `SHARED_ALLOWLIST`, else `ALLOWLIST_OF_DEPLOY_TOOLS_AND_3_OTHERS`. */
function allowlistNames(items: readonly Code[]): string[] {
  const names = items.map(itemName).filter((name) => name !== "");
  const whole = `ALLOWLIST_OF_${names.join("_AND_")}`;
  return names.length === 0
    ? [items.length === 0 ? "EMPTY_ALLOWLIST" : "ALLOWLIST"]
    : names.length <= 2
      ? [whole]
      : ["SHARED_ALLOWLIST", `ALLOWLIST_OF_${names[0]}_AND_${names.length - 1}_OTHERS`, whole];
}

function mostFrequent(contexts: readonly Context[]): Context {
  const times = new Map<string, { readonly context: Context; times: number }>();
  for (const context of contexts) {
    const key = JSON.stringify(context);
    const known = times.get(key);
    if (known === undefined) times.set(key, { context, times: 1 });
    else known.times++;
  }
  return (
    [...times].sort(([a, one], [b, other]) => other.times - one.times || (a < b ? -1 : 1))[0]?.[1].context ??
    {}
  );
}

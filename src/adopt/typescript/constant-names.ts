import type { Code, ObjectCode } from "./code";
import { constantCase } from "./names";

/** Where a value stands: the option that it is the value of, and the key in an option with keys. */
export interface Context {
  readonly option?: string;
  readonly key?: string;
}

/** Names for a constant, the best one first. */
export function constantName(code: Code, contexts: readonly Context[]): string[] {
  const names = candidates(code, contexts).filter((name) => name !== "");
  return names.length > 0 ? names : [code.kind === "text" ? code.role.toUpperCase() : "SHARED"];
}

function candidates(code: Code, contexts: readonly Context[]): string[] {
  const { option = "", key } = mostFrequent(contexts);
  switch (code.kind) {
    case "text":
      return code.role === "pattern" ? patternNames(code.text) : pathNames(code.text);
    case "list":
      return [listName(code.items, option)];
    case "object":
      if (key === undefined) return objectNames(code, option);
      return option === "protectedEnvironments" ? [environmentName(key)] : [ruleName(code)];
    default:
      return [];
  }
}

/** `acme/deploy-tools` → `DEPLOY_TOOLS`, else with the names before it. */
function pathNames(path: string): string[] {
  const steps = path.split("/");
  return steps.map((_, at) => constantCase(steps.slice(-1 - at).join("_")));
}

const patternNames = (pattern: string): string[] =>
  pathNames(pattern).map((name) => (name === "" ? "ALL_IMAGES" : `${name}_IMAGES`));

/** What a list names: `MAINTAINERS_AND_RELEASE_MANAGERS`, `ONLY_DEPLOY_TOOLS`, `APPROVED_BY_2_MAINTAINERS`. */
function listName(items: readonly Code[], option: string): string {
  const all = items.map(itemName).filter((name) => name !== "");
  const names = all.length <= 3 ? all.join("_AND_") : `${all[0]}_AND_${all.length - 1}_OTHERS`;
  if (option === "approvalRules") return `APPROVED_BY_${names}`;
  return items.every(({ kind }) => kind === "text") && items.length === 1 ? `ONLY_${names}` : names;
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
  return who?.kind === "text" ? `${times}${pathNames(who.text)[0]}` : "";
}

/** `PRODUCTION_ENVIRONMENT`, after the name that it has most often. */
const environmentName = (key: string): string => `${constantCase(key) || "PROTECTED"}_ENVIRONMENT`;

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
  const lists = entries.flatMap(([, value]) =>
    value.kind === "list" && value.items.length > 0 ? [listName(value.items, "")] : [],
  );
  return [
    ...(keys.length > 0 && keys.length <= 3
      ? [`${constantCase(keys.join("_AND_"))}_${name.replace("PROTECTED_", "")}`]
      : []),
    ...(lists.length > 0 && option === "allowlist" ? [`${name}_OF_${lists.join("_AND_")}`] : []),
    name,
  ];
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

import {
  type AttributesOf,
  hiddenPaths,
  isObject,
  isUnknown,
  objectsAfter,
  type Plan,
  type ResourceChange,
  type Value,
} from "../../engine";
import { PROVIDER_SOURCE } from "../../provider";
import { SENSITIVE } from "../../text";
import { containerOf } from "../printing/place";
import { withContainers } from "./policy-plan";
import type { RuleConstruct } from "./rule";

interface PlannedResource {
  readonly construct: RuleConstruct;
  readonly type: string;
  /** Attributes by their schema names, without nulls. Sensitive and unknown values are expressions. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A project as the plan leaves it. */
export interface PlannedProject {
  readonly name: string;
  /** What a rule for projects sees: the same as in an app. */
  readonly view: object;
  /** The address of an object by what stands for its construct; the first one of the project by default. */
  addressOf(construct: RuleConstruct | undefined): string | undefined;
}

/** The projects that a plan leaves, with the objects of this provider in them. */
export function plannedProjects(plan: Plan, attributesOf: AttributesOf): PlannedProject[] {
  const addresses = new Map<unknown, string>();
  const projects = new Map<string, PlannedResource[]>();
  for (const object of withContainers(plan, objectsAfter(plan, attributesOf)).filter(isOfProject)) {
    const construct = { node: { id: object.name, path: object.construct ?? object.address } };
    addresses.set(construct, object.address);
    const attributes = attributesFor(object);
    const name = containerOf(object)?.name ?? String(attributes["project"]);
    projects.set(name, [...(projects.get(name) ?? []), { construct, type: object.type, attributes }]);
  }
  return [...projects].map(([name, resources]) => ({
    name,
    view: {
      project: name,
      resources,
      ofType: (type: string) => resources.filter((one) => one.type === type),
    },
    addressOf: (construct) => addresses.get(construct ?? resources[0]!.construct),
  }));
}

const isOfProject = ({ provider, after }: ResourceChange): boolean =>
  provider === PROVIDER_SOURCE && (after!["project"] ?? null) !== null;

/** Rules repeat values in their messages, so sensitive values are expressions. */
function attributesFor({ after, afterSensitive }: ResourceChange): Readonly<Record<string, unknown>> {
  const hidden = new Set(hiddenPaths(after, afterSensitive).map(([name]) => name));
  if (hidden.has(undefined)) return {};
  const attributes = plainOf(after!) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, hidden.has(name) ? `\${${SENSITIVE}}` : value]),
  );
}

/** A value as cdktf would synthesize it. */
function plainOf(value: Value): unknown {
  if (isUnknown(value)) return "${(known after apply)}";
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value === "string") return value.replaceAll("${", "$${");
  if (!isObject(value)) return typeof value === "object" && value !== null ? Number(String(value)) : value;
  const set = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(set.map(([name, one]) => [name, plainOf(one)]));
}

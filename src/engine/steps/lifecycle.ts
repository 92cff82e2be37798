import { type Diagnostic, error, formatPath } from "../../diagnostics";
import {
  fromPlain,
  impliedType,
  type Lifecycle,
  list,
  locate,
  map,
  object,
  type ResourceDeclaration,
  type Traversal,
  toInteger,
  toPlainAs,
  tuple,
  type Value,
} from "../../language";
import type { Attributes, Value as Plain, ValueObject } from "../../schema";
import { quotedShellWord } from "../../text";
import { withoutKey } from "../declarations/address-keys";
import type { ResourceChange } from "../results/plan";
import type { StackRun } from "../stack-run/stack-run";

type PathStep = Traversal["steps"][number];

/**
 * Returns the configuration, but takes the attributes of `ignore_changes` from the prior state, so that the plan does not change
 * them. A caller can pass live values instead of a configuration. The ignored attributes then show no drift. A path that exists
 * neither in the configuration nor in the prior state has no effect.
 */
export function ignoreChanges(
  ignored: Lifecycle["ignoreChanges"],
  attributes: Attributes,
  prior: ValueObject,
  config: ValueObject,
): ValueObject {
  if (ignored === "all") return stateAsConfig(attributes, prior);
  const types = impliedType(attributes).attributes;
  const result: Record<string, Plain> = { ...config };
  for (const { root, steps } of ignored) {
    const type = types.get(root);
    if (type === undefined) continue;
    const [before, now] = [fromPlain(prior[root] ?? null, type), fromPlain(result[root] ?? null, type)];
    result[root] = steps.length === 0 ? (prior[root] ?? null) : toPlainAs(type, keepPath(now, before, steps));
  }
  return result;
}

/** Returns a state in the form of a configuration: computed attributes are null. */
const stateAsConfig = (attributes: Attributes, prior: ValueObject): ValueObject =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { presence }]) => [
      name,
      presence === "computed" ? null : (prior[name] ?? null),
    ]),
  );

/** Returns `now`, but with the element of `before` at the end of the path. */
function keepPath(now: Value, before: Value, [step, ...rest]: readonly PathStep[]): Value {
  if (step === undefined) return before;
  if (!now.isKnown || now.isNull || !before.isKnown || before.isNull) return now;
  if (now.content instanceof Map && before.content instanceof Map) return keepEntry(now, before, step, rest);
  const position =
    "index" in step && step.index.type.kind === "number" ? toInteger(step.index.num) : undefined;
  const isSequence =
    ["list", "tuple"].includes(now.type.kind) && ["list", "tuple"].includes(before.type.kind);
  if (position === undefined || !isSequence) return now;
  const elements = [...now.elements];
  const [one, other] = [elements[position], before.elements[position]];
  if (one === undefined || other === undefined) return now;
  elements[position] = keepPath(one, other, rest);
  return now.type.kind === "list" ? list(elements, now.type.element) : tuple(elements);
}

/** Returns the name of an attribute or the key of an entry in a path. Undefined for an index. */
export function nameOfStep(step: PathStep): string | undefined {
  if ("attribute" in step) return step.attribute;
  return step.index.type.kind === "string" ? step.index.text : undefined;
}

function keepEntry(now: Value, before: Value, step: PathStep, rest: readonly PathStep[]): Value {
  const key = nameOfStep(step);
  if (key === undefined) return now;
  const entries = new Map(now.entries);
  const [one, other] = [entries.get(key), before.entries.get(key)];
  if (now.type.kind === "map" && rest.length === 0) {
    // The path names a whole entry, which may exist only before or only after the change.
    if (other === undefined) entries.delete(key);
    else entries.set(key, other);
    return map(entries, now.type.element);
  }
  if (one === undefined || other === undefined) return now;
  entries.set(key, keepPath(one, other, rest));
  return now.type.kind === "map" ? map(entries, now.type.element) : object(entries);
}

/**
 * Rejects the delete of an object with `prevent_destroy`. Checks the declaration at the object's address, and the
 * declaration at the object's address in the state. The declaration at the address in the state can meanwhile be for
 * another object.
 */
export function preventDestroy(
  { context, origins }: StackRun,
  declaration: ResourceDeclaration | undefined,
  change: ResourceChange,
): Diagnostic[] {
  const { address, type } = change;
  if (isProtected(declaration, change))
    return [
      prevented(
        declaration,
        address,
        `The plan would destroy ${address}, which has lifecycle.prevent_destroy. Nothing was sent. ${causeOf(change)}` +
          `To leave this object out, use --exclude ${quotedShellWord(address)}. To destroy it, first remove prevent_destroy from the declaration.`,
      ),
    ];
  const origin = origins.get(address) ?? address;
  const former = context.configuration.resources.get(withoutKey(origin));
  if (!isProtected(former, change)) return [];
  return [
    prevented(
      former,
      origin,
      `${origin} now declares another object, so the plan would destroy the ${type} "${String(change.before?.["id"])}", ` +
        "which has lifecycle.prevent_destroy. Nothing was sent. To keep the old object, declare it at a new address with a moved block. " +
        "To destroy it, first remove prevent_destroy from the declaration.",
    ),
  ];
}

/** Returns a sentence about the attributes that require the replacement. Returns an empty text if there is no such attribute. */
function causeOf({ replacePaths }: ResourceChange): string {
  if (replacePaths.length === 0) return "";
  const names = replacePaths.map((path) => `\`${formatPath(path)}\``).join(", ");
  return `A change of ${names} replaces the object: undo it to keep the object. `;
}

const isProtected = (
  declaration: ResourceDeclaration | undefined,
  change: ResourceChange,
): declaration is ResourceDeclaration =>
  declaration?.lifecycle.preventDestroy === true && change.deposed === undefined;

const prevented = ({ construct }: ResourceDeclaration, address: string, detail: string): Diagnostic =>
  error({
    code: "destroy_prevented",
    summary: "Destroy prevented",
    detail,
    ...locate({ address, construct }, ["lifecycle", "prevent_destroy"]),
  });

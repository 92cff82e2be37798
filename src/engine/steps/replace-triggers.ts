import { type Diagnostic, error, hasErrors } from "../../diagnostics";
import {
  type Expression,
  fromPlain,
  impliedType,
  isRawEqual,
  locate,
  type Node,
  type ResourceDeclaration,
  referencedDeclaration,
  type Traversal,
  toInteger,
  type Value,
} from "../../language";
import type { ResourceChange } from "../results/plan";
import type { InstanceContext } from "../stack-run/conditions";
import type { Step as PlanStep } from "./steps";

type PathStep = Traversal["steps"][number];

/** Finds out whether this instance must be replaced, because `replace_triggered_by` names an object with a planned change. */
export function evaluateTriggers(stage: InstanceContext, stepsOf: StepsOf) {
  for (const [index, expression] of stage.declaration.lifecycle.replaceTriggeredBy.entries()) {
    const trigger = new Trigger(stage, expression, index);
    if (hasErrors(trigger.diagnostics)) return { isTriggered: false, diagnostics: trigger.diagnostics };
    const steps = trigger.stepsIn(stepsOf(trigger.resource));
    if (trigger.key !== undefined && steps.length === 0)
      return { isTriggered: false, diagnostics: [noSuchInstance(stage.declaration, index, trigger)] };
    if (steps.some((step) => trigger.isChangedBy(step))) return { isTriggered: true, diagnostics: [] };
  }
  return { isTriggered: false, diagnostics: [] };
}

/** Validates the references of `replace_triggered_by`, independent of their values. */
export function checkTriggers(declaration: ResourceDeclaration): Diagnostic[] {
  return declaration.lifecycle.replaceTriggeredBy.flatMap((expression, index) => {
    const traversal = traversalOf(expression.root);
    if (traversal === undefined) return [invalid(declaration, expression, index)];
    const { kind } = referencedDeclaration({ ...traversal, steps: traversal.steps.filter(isStep) });
    const isValid =
      kind === "resource" &&
      traversal.steps.every((step) => isStep(step) || INDEX_REFERENCES.has(textOfReference(step.computed)));
    return isValid ? [] : [invalid(declaration, expression, index)];
  });
}

/** The references that an index can contain. */
const INDEX_REFERENCES: ReadonlySet<string> = new Set(["count.index", "each.key"]);

const CHANGING_ACTIONS: ReadonlySet<ResourceChange["action"]> = new Set([
  "update",
  "delete-then-create",
  "create-then-delete",
]);

const textOfReference = (node: Node): string =>
  node.kind === "reference" ? referencedDeclaration(node.traversal).address : "";

type StepsOf = (resource: string) => readonly PlanStep[];

/** One reference of `replace_triggered_by`, with its indexes evaluated. */
class Trigger {
  readonly resource: string;
  /** The key of one instance; undefined for all instances. */
  readonly key: string | number | undefined;
  readonly diagnostics: Diagnostic[] = [];
  readonly #steps: readonly PathStep[];

  constructor(
    private readonly of: InstanceContext,
    private readonly expression: Expression,
    private readonly index: number,
  ) {
    const { root, steps } = traversalOf(expression.root)!;
    const known = steps.map((step) => (isStep(step) ? step : this.#evaluate(step.computed)));
    const { range } = expression.root;
    const { address, steps: consumed } = referencedDeclaration({ root, steps: known, range });
    const [first, ...rest] = known.slice(consumed);
    this.resource = address;
    this.key = first !== undefined && "index" in first ? keyOf(first.index) : undefined;
    this.#steps = this.key === undefined ? known.slice(consumed) : rest;
  }

  /** Returns the steps of the instances that the trigger names, selected from all steps of the resource. */
  stepsIn(all: readonly PlanStep[]): PlanStep[] {
    return all.filter(
      ({ change: { indexKey, deposed } }) =>
        deposed === undefined && (this.key === undefined || indexKey === this.key),
    );
  }

  isChangedBy({ change: { action, attributes, before, after } }: PlanStep): boolean {
    if (!CHANGING_ACTIONS.has(action)) return false;
    if (this.#steps.length === 0) return true;
    const type = impliedType(attributes);
    const [one, other] = [before, after].map((values) => valueAt(fromPlain(values, type), this.#steps));
    return one === undefined || other === undefined ? one !== other : !isRawEqual(one, other);
  }

  #evaluate(node: Node): PathStep {
    const { run, declaration, instance } = this.of;
    const expression = { source: this.expression.source, root: node };
    const attribute = ["lifecycle", "replace_triggered_by", this.index];
    const found = run.evaluation.evaluate(expression, declaration, attribute, instance.repetition);
    const { value, diagnostics } = found;
    const isKey = value?.isKnown && !value.isNull && keyOf(value) !== undefined;
    this.diagnostics.push(
      ...diagnostics,
      ...(isKey ? [] : [invalid(declaration, this.expression, this.index)]),
    );
    return isKey ? { index: value, range: node.range } : { attribute: "", range: node.range };
  }
}

/** Returns the value at the end of a path; undefined if the path does not exist. */
function valueAt(value: Value, steps: readonly PathStep[]): Value | undefined {
  let current: Value | undefined = value;
  for (const step of steps) {
    if (current === undefined || !current.isKnown || current.isNull) return undefined;
    if (current.content instanceof Map) {
      const key = "attribute" in step ? step.attribute : step.index.text;
      current = current.entries.get(key);
    } else if (Array.isArray(current.content) && "index" in step && step.index.type.kind === "number") {
      current = current.elements[toInteger(step.index.num) ?? -1];
    } else return undefined;
  }
  return current;
}

type UnevaluatedStep = PathStep | { readonly computed: Node };

const isStep = (step: UnevaluatedStep): step is PathStep => !("computed" in step);

/** Returns the traversal if an expression is nothing but a reference; otherwise undefined. */
function traversalOf(
  node: Node,
): { root: string; steps: readonly UnevaluatedStep[]; range: Node["range"] } | undefined {
  if (node.kind === "group") return traversalOf(node.inner);
  if (node.kind === "reference") return node.traversal;
  if (node.kind === "relative") return append(traversalOf(node.source), node.steps);
  return node.kind === "index" ? append(traversalOf(node.collection), [{ computed: node.key }]) : undefined;
}

const append = (to: ReturnType<typeof traversalOf>, steps: readonly UnevaluatedStep[]) =>
  to && { ...to, steps: [...to.steps, ...steps] };

function keyOf(value: Value): string | number | undefined {
  if (value.type.kind === "string") return value.text;
  return value.type.kind === "number" ? toInteger(value.num) : undefined;
}

const invalid = (declaration: ResourceDeclaration, { source }: Expression, index: number): Diagnostic =>
  error({
    code: "invalid_lifecycle",
    summary: "Invalid reference in replace_triggered_by",
    detail: `${JSON.stringify(source)} is not a valid reference. Name a managed resource, an instance of it, or an attribute, such as TYPE.NAME.ATTRIBUTE. An index may contain only a literal, count.index or each.key.`,
    ...locate(declaration, ["lifecycle", "replace_triggered_by", index]),
  });

function noSuchInstance(declaration: ResourceDeclaration, index: number, { resource, key }: Trigger) {
  const detail =
    `${resource} has no instance with the key ${JSON.stringify(key)}. With count the keys are numbers; with for_each ` +
    "they are strings.";
  const at = locate(declaration, ["lifecycle", "replace_triggered_by", index]);
  return error({
    code: "invalid_lifecycle",
    summary: "Unknown instance in replace_triggered_by",
    detail,
    ...at,
  });
}

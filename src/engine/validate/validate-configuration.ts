import { type Diagnostic, diagnosticsOf, error, mergeDiagnostics, nearest, warning } from "../../diagnostics";
import {
  checkSteps,
  DYNAMIC,
  impliedType,
  keyOf,
  locate,
  missingRepetition,
  NO_LIFECYCLE,
  type ReferenceProblem,
  type ResourceDeclaration,
  referencedDeclaration,
  references,
  type Traversal,
  type Type,
  unknown,
  unsupportedName,
  type Value,
  withoutOptional,
} from "../../language";
import { type Attributes, memoize, type Schema } from "../../schema";
import { importsOf } from "../declarations/check-blocks";
import { declarationGraph, type ReferenceUse } from "../declarations/declarations";
import { ImportReader } from "../import/import-blocks";
import { at } from "../objects/objects";
import { checkAssertions, checkVariable } from "../stack-run/conditions";
import type { RunContext } from "../stack-run/context";
import { checkRepetition, instanceConfig, isValidAsWritten } from "../stack-run/instances";
import { evaluateOutput } from "../stack-run/outputs";
import { StackRun, type Visitor, visitNode } from "../stack-run/stack-run";
import { variableMarks } from "../stack-run/variables";
import { nameOfStep } from "../steps/lifecycle";
import { checkTriggers } from "../steps/replace-triggers";

/** Validates the lifecycle block of a declaration: `ignore_changes`, `replace_triggered_by` and preconditions. */
const checkLifecycle = (declaration: ResourceDeclaration, attributes: Attributes): Diagnostic[] =>
  declaration.lifecycle === NO_LIFECYCLE
    ? []
    : [
        ...checkIgnored(declaration, attributes),
        ...checkTriggers(declaration),
        ...checkPreconditions(declaration),
      ];

function checkIgnored(declaration: ResourceDeclaration, attributes: Attributes): Diagnostic[] {
  const { ignoreChanges } = declaration.lifecycle;
  if (ignoreChanges === "all") return [];
  return ignoreChanges.flatMap((traversal, index) => {
    const site = locate(declaration, ["lifecycle", "ignore_changes", index]);
    const problem = ignoreProblem(traversal, attributes);
    if (problem !== undefined) {
      const summary = "Invalid element of ignore_changes";
      return [error({ code: "invalid_lifecycle", summary, detail: problem, ...site })];
    }
    if (attributes[traversal.root]!.presence !== "computed") return [];
    const detail =
      `ignore_changes names ${traversal.root}, which only the service sets, so there is no change to ignore. ` +
      "Remove it.";
    return [
      warning({ code: "invalid_lifecycle", summary: "Redundant element of ignore_changes", detail, ...site }),
    ];
  });
}

function ignoreProblem({ root, steps }: Traversal, attributes: Attributes): string | undefined {
  let type: Type | undefined = impliedType(attributes).attributes.get(root);
  if (type === undefined) {
    const close = nearest(root, Object.keys(attributes));
    return `There is no attribute "${root}" here.${close === undefined ? "" : ` Did you mean "${close}"?`}`;
  }
  for (const step of steps) {
    if (type === undefined || type.kind === "dynamic") return undefined;
    if (type.kind === "set")
      return `The elements of a set have no keys, so ${root} can be ignored only as a whole.`;
    const name = nameOfStep(step);
    if (type.kind === "object") {
      type = name === undefined ? undefined : type.attributes.get(name);
      if (type === undefined)
        return `${root} has no attribute${name === undefined ? " of that kind" : ` "${name}"`}.`;
    } else if (type.kind === "list" || type.kind === "map") type = type.element;
    else return `${root} has no attributes or elements.`;
  }
  return undefined;
}

/**
 * Rejects preconditions that refer to their own object, because the object does not exist yet when its preconditions are
 * evaluated.
 */
const checkPreconditions = (declaration: ResourceDeclaration): Diagnostic[] =>
  declaration.lifecycle.preconditions.flatMap(({ condition, errorMessage }, index) => {
    const named = [condition, errorMessage]
      .flatMap(references)
      .map((traversal) => referencedDeclaration(traversal).address);
    if (!named.some((address) => address === "self" || address === declaration.address)) return [];
    const detail =
      "A precondition is evaluated before its object exists, so it can't refer to the object. Use a postcondition.";
    const site = locate(declaration, ["lifecycle", "precondition", index, "condition"]);
    return [error({ code: "invalid_condition", summary: "Invalid precondition", detail, ...site })];
  });

/** Validates the `import` blocks of a resource. Unknown values are not checked. */
function validateImports(run: StackRun, declaration: ResourceDeclaration): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const block of importsOf(run.context.configuration.imports, declaration.address))
    new ImportReader(run, block, declaration, found, false).check();
  return found;
}

/**
 * Validates a configuration against the schemas. Variables, and values that come from the service, count as unknown. Sends no
 * request.
 */
export function validateConfiguration(context: RunContext): Diagnostic[] {
  const run = new StackRun({ ...context, variables: {} });
  for (const [name, declaration] of context.configuration.variables)
    run.evaluation.set(
      `var.${name}`,
      unknown(withoutOptional(declaration.constraint.type)).withMarks(variableMarks(declaration)),
    );
  const problems = run.diagnostics.filter(({ code }) => code !== "missing_variable");
  run.diagnostics.length = 0;
  run.evaluation.allowUndeclared();
  run.evaluation.setOthers((address) => unknownResource(run, address));
  try {
    // The nodes after a failed node are also checked, with unknown values, so that all problems are reported at once.
    const visitor = validator(run);
    run.graph.topologicalOrder().forEach(({ id, value }) => void visitNode(run, visitor, id, value));
  } catch (problem) {
    // If declarations form a cycle, they have no order, and only the cycle is reported.
    run.report(diagnosticsOf(problem));
  }
  return mergeDiagnostics(problems, run.diagnostics, notReported(checkReferences(run), run.diagnostics));
}

/** Returns the problems of references that no evaluation has reported, such as references inside `try`. */
function notReported(found: readonly Diagnostic[], reported: readonly Diagnostic[]): readonly Diagnostic[] {
  if (found.length === 0) return found;
  const keyOf = ({ address, detail }: Diagnostic) => `${address} ${detail}`;
  const known = new Set(reported.map(keyOf));
  return found.filter((one) => !known.has(keyOf(one)));
}

const validator = (run: StackRun): Visitor => ({
  // An unknown provider that resources use is not reported here, because these resources report it.
  provider: (node) =>
    run.providerFor(node.key) === undefined && isUsed(run, node.key)
      ? "failed"
      : run.visitProvider(node, false),
  output: ({ declaration }) => run.report(evaluateOutput(run, declaration).diagnostics),
  variable: ({ declaration }) => run.report(checkVariable(run, declaration)),
  check: ({ declaration }) => run.report(checkAssertions(run, declaration)),
  resource: ({ declaration }, address) => visitResource(run, address, declaration),
});

const EACH = unknown(DYNAMIC);
const ANY_REPETITION = { count: EACH, each: { key: EACH, value: EACH } };

/** Returns the unknown value of a resource. The value is created on demand, because only few values are used. */
function unknownResource(run: StackRun, address: string): Value | undefined {
  const declaration = run.context.configuration.resources.get(address);
  if (declaration === undefined) return undefined;
  if (declaration.count !== undefined || declaration.forEach !== undefined) return EACH;
  const attributes = schemaOf(run, declaration)?.attributes;
  return attributes && unknownObject(attributes);
}

const unknownObject = memoize((attributes: Attributes) => unknown(impliedType(attributes)));

const isUsed = ({ context }: StackRun, provider: string): boolean =>
  [...context.configuration.resources.values()].some((declaration) => declaration.provider === provider);

function visitResource(run: StackRun, address: string, declaration: ResourceDeclaration): "done" | "failed" {
  const schema = schemaOf(run, declaration);
  // An unknown type was already reported.
  if (schema === undefined) return "failed";
  const isValid = isValidAsWritten(run, declaration);
  // Almost all declarations end here, because they are valid and have no lifecycle.
  if (isValid && declaration.lifecycle === NO_LIFECYCLE && run.context.configuration.imports.length === 0)
    return "done";
  const { diagnostics, invalid } = instanceConfig(run, declaration, { address, repetition: ANY_REPETITION });
  const repetition = checkRepetition(declaration, run.evaluation);
  const lifecycle = checkLifecycle(declaration, schema.attributes);
  const imports = validateImports(run, declaration);
  const count = diagnostics.length + invalid.length + repetition.length + lifecycle.length + imports.length;
  if (count === 0) return "done";
  return run.report([
    ...diagnostics,
    ...repetition,
    ...at(invalid, address, declaration.construct),
    ...lifecycle,
    ...imports,
  ]);
}

type Steps = Traversal["steps"];

/**
 * Checks every reference of a configuration against the schemas. As in Terraform, nothing is evaluated. Wrong references inside
 * `try`, in branches that are not taken and in empty loops are therefore reported too.
 */
function checkReferences(run: StackRun): Diagnostic[] {
  const { configuration } = run.context;
  const checked = new Map<string, ReferenceProblem | undefined>();
  return declarationGraph(configuration).uses.flatMap((use) => {
    const problem = scopeProblem(use, configuration.resources) ?? stepsProblem(run, use, checked);
    if (problem === undefined) return [];
    const { site, name } = use;
    return [
      error({
        code: "invalid_expression",
        ...problem,
        ...locate(site, name === undefined ? undefined : [name]),
      }),
    ];
  });
}

type Resources = ReadonlyMap<string, ResourceDeclaration>;

/**
 * Returns the problem of a name, such as `each.key` or `self`, that can't be used in this place. Returns undefined if the name
 * can be used.
 */
function scopeProblem(
  { site, name, reference, subject }: ReferenceUse,
  resources: Resources,
): ReferenceProblem | undefined {
  const of = resources.get(site.address);
  if (subject.kind === "path" || subject.kind === "terraform") return unsupportedName(reference);
  if (subject.kind !== "repetition" || name === "import") return undefined;
  if (subject.address === "self")
    return of !== undefined && name === "lifecycle" ? undefined : missingRepetition(reference);
  const isIn = name === "for_each" || name === "count";
  const repeats = (reference.root === "each" ? of?.forEach : of?.count) !== undefined;
  return repeats && !isIn ? unsupportedName(reference) : missingRepetition(reference);
}

/**
 * Finds wrong attributes and keys in a reference to an object. Thousands of references repeat the same few paths, so each path is
 * checked only once.
 */
function stepsProblem(
  run: StackRun,
  { site, name, reference, subject }: ReferenceUse,
  checked: Map<string, ReferenceProblem | undefined>,
): ReferenceProblem | undefined {
  const isSelf = subject.address === "self";
  if (!isSelf && subject.kind !== "resource" && subject.kind !== "data") return undefined;
  const steps = reference.steps.slice(subject.steps);
  if (steps.length === 0) return undefined;
  const address = isSelf ? site.address : subject.address;
  const isWhole = name === "depends_on";
  const key = `${isSelf} ${isWhole} ${address}${steps.map(textOf).join("")}`;
  if (!checked.has(key)) checked.set(key, problemOf(run, address, steps, { isSelf, isWhole }));
  return checked.get(key);
}

function problemOf(
  run: StackRun,
  address: string,
  steps: Steps,
  { isSelf, isWhole }: { readonly isSelf: boolean; readonly isWhole: boolean },
): ReferenceProblem | undefined {
  const declaration = run.context.configuration.resources.get(address);
  const schema = declaration && schemaOf(run, declaration);
  // An undeclared object and an unknown type have other errors, so nothing is reported here.
  if (schema === undefined) return undefined;
  const isKeyed = !isSelf && "index" in steps[0]!;
  const keyProblem = isSelf ? undefined : instanceProblem(declaration!, isKeyed, steps);
  if (keyProblem !== undefined) return keyProblem;
  const rest = isKeyed ? steps.slice(1) : steps;
  const [first] = rest;
  if (first === undefined) return undefined;
  if (isWhole)
    return {
      summary: "Invalid depends_on",
      detail: `depends_on takes whole objects, without an attribute. Write ${address}.`,
    };
  if ("index" in first)
    return {
      summary: "Invalid index",
      detail: `${address} is an object, which has no elements. Write the attribute with a dot.`,
    };
  return checkSteps(impliedType(schema.attributes), rest);
}

/** Reports a missing or an unexpected key of an instance. An instance has a key only if its block has `count` or `for_each`. */
function instanceProblem({ address, count, forEach }: ResourceDeclaration, isKeyed: boolean, steps: Steps) {
  const repeats = count !== undefined || forEach !== undefined;
  if (repeats === isKeyed) return undefined;
  const argument = count === undefined ? "for_each" : "count";
  const [key, rest] = [count === undefined ? "each.key" : "count.index", steps.map(textOf).join("")];
  return repeats
    ? {
        summary: "Missing key of an instance",
        detail: `${address} has "${argument}" and therefore several instances. Write ${address}[${key}]${rest} for one instance, or ${address}[*]${rest} for all.`,
      }
    : {
        summary: "Unexpected key of an instance",
        detail: `${address} has neither "count" nor "for_each", so its only instance has no key. Write ${address}${steps.slice(1).map(textOf).join("")}.`,
      };
}

/** Returns the schema of a declaration; undefined for an unknown type. */
function schemaOf(run: StackRun, { mode, type, provider }: ResourceDeclaration): Schema | undefined {
  const known = run.providerFor(provider)?.schema;
  return (mode === "managed" ? known?.resources : known?.dataSources)?.[type];
}

const textOf = (step: Steps[number]): string => {
  if ("attribute" in step) return `.${step.attribute}`;
  const key = keyOf(step.index);
  return `[${key === undefined ? "?" : JSON.stringify(key)}]`;
};

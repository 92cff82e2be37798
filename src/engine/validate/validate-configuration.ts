import { type Diagnostic, DiagnosticError, mergeDiagnostics } from "../../diagnostics";
import { DYNAMIC, impliedType, type ResourceDeclaration, unknown, withMarks } from "../../language";
import { type Attributes, memoize } from "../../schema";
import { checkAssertions, checkVariable } from "../checks/check-declarations";
import { evaluateOutput } from "../checks/outputs";
import { checkLifecycle } from "../lifecycle/check-lifecycle";
import type { RunContext } from "../run/context";
import { instanceConfig } from "../run/instance-config";
import { at } from "../run/objects";
import { prepare } from "../run/prepare";
import { StackRun } from "../run/stack-run";
import { variableMarks } from "../run/variables";
import { type Visitor, visitNode } from "../run/visitor";
import { validateImports } from "./validate-imports";

/**
 * Validates a configuration against the schemas; what only the service or a user knows is unknown. Sends no
 * request.
 */
export function validateConfiguration(context: RunContext): Diagnostic[] {
  const run = new StackRun(prepare({ ...context, variables: {} }));
  for (const [name, declaration] of context.configuration.variables)
    run.evaluation.set(`var.${name}`, withMarks(unknown(DYNAMIC), variableMarks(declaration)));
  const problems = run.diagnostics.filter(({ code }) => code !== "missing_variable");
  run.diagnostics.length = 0;
  run.evaluation.allowUndeclared();
  try {
    // Dependents of a failed node see unknown values and are checked too, so all problems are reported at
    // once.
    const visitor = validator(run);
    for (const id of run.graph.topologicalOrder()) void visitNode(run, visitor, id, run.graph.value(id)!);
  } catch (problem) {
    // A cycle leaves no order to check declarations in.
    if (!(problem instanceof DiagnosticError)) throw problem;
    run.report(problem.diagnostics);
  }
  return mergeDiagnostics(problems, run.diagnostics);
}

const validator = (run: StackRun): Visitor => ({
  // An unknown provider is reported with the resources that need it.
  provider: ({ key, declaration }) =>
    run.providerFor(key) === undefined && isUsed(run, key)
      ? "failed"
      : run.visitProvider(key, declaration, false),
  output: ({ declaration }) => run.report(evaluateOutput(run, declaration).diagnostics),
  variable: ({ declaration }) => run.report(checkVariable(run, declaration)),
  check: ({ declaration }) => run.report(checkAssertions(run, declaration)),
  resource: ({ declaration }, address) => visitResource(run, address, declaration),
});

const EACH = unknown(DYNAMIC);
const ANY_REPETITION = { count: EACH, each: { key: EACH, value: EACH } };

const unknownObject = memoize((attributes: Attributes) => unknown(impliedType(attributes)));

const isUsed = ({ context }: StackRun, provider: string): boolean =>
  [...context.configuration.resources.values()].some((declaration) => declaration.provider === provider);

function visitResource(run: StackRun, address: string, declaration: ResourceDeclaration): "done" | "failed" {
  const { mode, type, provider, construct, count, forEach } = declaration;
  const known = run.providerFor(provider)?.schema;
  const schema = (mode === "managed" ? known?.resources : known?.dataSources)?.[type];
  // An unknown type was already reported.
  if (schema === undefined) return "failed";
  const { attributes } = schema;
  const { diagnostics, invalid } = instanceConfig(run, declaration, { address, repetition: ANY_REPETITION });
  const repeated = count !== undefined || forEach !== undefined;
  run.evaluation.set(address, repeated ? EACH : unknownObject(attributes));
  const lifecycle = checkLifecycle(declaration, attributes);
  const imports = validateImports(run, declaration);
  // Almost all declarations are valid.
  if (diagnostics.length + invalid.length + lifecycle.length + imports.length === 0) return "done";
  return run.report([...diagnostics, ...at(invalid, address, construct), ...lifecycle, ...imports]);
}

import { type Diagnostic, DiagnosticError, mergeDiagnostics } from "../../diagnostics";
import { DYNAMIC, impliedType, type ResourceDeclaration, unknown, withMarks } from "../../language";
import { checkAssertions, checkVariable } from "../checks/check-declarations";
import { evaluateOutput } from "../checks/outputs";
import { checkLifecycle } from "../lifecycle/check-lifecycle";
import type { RunContext } from "../run/context";
import type { Node } from "../run/declarations";
import { instanceConfig } from "../run/instance-config";
import { at } from "../run/objects";
import { prepare } from "../run/prepare";
import { StackRun } from "../run/stack-run";
import { variableMarks } from "../run/variables";
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
    for (const id of run.graph.topologicalOrder()) visit(run, id, run.graph.value(id)!);
  } catch (problem) {
    // A cycle leaves no order to check declarations in.
    if (!(problem instanceof DiagnosticError)) throw problem;
    run.report(problem.diagnostics);
  }
  return mergeDiagnostics(problems, run.diagnostics);
}

function visit(run: StackRun, id: string, node: Node): "done" | "failed" {
  switch (node.kind) {
    case "local":
      return run.visitLocal(node.name, node);
    case "provider":
      // An unknown provider is reported with the resources that need it.
      if (run.providerFor(node.key) === undefined && isUsed(run, node.key)) return "failed";
      return run.visitProvider(node.key, node.declaration, false);
    case "output":
      return run.report(evaluateOutput(run, node.declaration).diagnostics);
    case "variable":
      return run.report(checkVariable(run, node.declaration));
    case "check":
      return run.report(checkAssertions(run, node.declaration));
    case "resource":
      return visitResource(run, id, node.declaration);
  }
}

const EACH = unknown(DYNAMIC);
const ANY_REPETITION = { count: EACH, each: { key: EACH, value: EACH } };

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
  run.evaluation.set(address, unknown(repeated ? DYNAMIC : impliedType(attributes)));
  const lifecycle = checkLifecycle(declaration, attributes);
  const imports = validateImports(run, declaration);
  // Almost all declarations are valid.
  if (diagnostics.length + invalid.length + lifecycle.length + imports.length === 0) return "done";
  return run.report([...diagnostics, ...at(invalid, address, construct), ...lifecycle, ...imports]);
}

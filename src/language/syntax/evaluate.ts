import type { Value } from "../values";
import { evaluateCall } from "./call";
import { evaluateConditional } from "./conditional";
import { evaluateObject, evaluateTuple } from "./constructors";
import { Evaluation, type Scope } from "./evaluation";
import { evaluateFor } from "./for";
import { evaluateBinary, evaluateUnary } from "./operators";
import { evaluateReference, indexValue, takeSteps } from "./reference";
import { evaluateSplat } from "./splat";
import type { Expression, Node } from "./syntax";
import { evaluateJoin, evaluateTemplate } from "./template";

/**
 * Evaluates an expression with Terraform's rules for unknown, null and sensitive values.
 * @throws ExpressionError the first problem, with the `others`
 */
export function evaluate(expression: Expression, scope: Scope): Value {
  const evaluation = Evaluation.start(scope, expression.source, evaluateNode);
  const value = evaluateNode(expression.root, evaluation);
  const [first, ...others] = evaluation.problems;
  if (first !== undefined) throw others.length === 0 ? first : first.with(others);
  return value;
}

function evaluateNode(node: Node, evaluation: Evaluation): Value {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "reference":
      return evaluateReference(node, evaluation);
    case "relative":
      return takeSteps(evaluateNode(node.source, evaluation), node.steps, evaluation);
    case "index":
      return indexValue(
        evaluateNode(node.collection, evaluation),
        evaluateNode(node.key, evaluation),
        node.bracket,
        evaluation,
      );
    case "splat":
      return evaluateSplat(node, evaluation);
    case "item":
      return evaluation.item;
    case "template":
      return evaluateTemplate(node, evaluation);
    case "join":
      return evaluateJoin(node, evaluation);
    case "group":
      return evaluateNode(node.inner, evaluation);
    case "conditional":
      return evaluateConditional(node, evaluation);
    case "binary":
      return evaluateBinary(node, evaluation);
    case "unary":
      return evaluateUnary(node, evaluation);
    case "call":
      return evaluateCall(node, evaluation);
    case "tuple":
      return evaluateTuple(node, evaluation);
    case "object":
      return evaluateObject(node, evaluation);
    case "for":
      return evaluateFor(node, evaluation);
    case "embedded": {
      const { expression, path } = node;
      return evaluateNode(expression.root, evaluation.within(expression.source, path));
    }
  }
}

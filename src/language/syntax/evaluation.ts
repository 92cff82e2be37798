import type { AttributePath, DiagnosticAction } from "../../diagnostics";
import { ConversionError, type Type, tryConvert, UNKNOWN, type Value } from "../values";
import { ExpressionError, StaticExpressionError } from "./errors";
import type { Definition } from "./functions/definition";
import type { Node, Range, Traversal } from "./syntax";

/**
 * The names to which an expression can refer, and the functions of providers. The code that starts the evaluation supplies the
 * scope.
 */
export interface Scope {
  /**
   * Returns the value of the name at the start of a traversal; undefined for an unknown name. `consumed` is the number of
   * traversal steps that belong to the name, such as 1 for `var.region`. An `ExpressionError` from this function is a problem of
   * the expression, which `try` can handle. Any other error ends the evaluation.
   */
  resolve(traversal: Traversal): { readonly value: Value; readonly consumed: number } | undefined;
  /** Returns the special reason why a name is unknown; undefined if there is none. */
  explainUnknown?(traversal: Traversal): { readonly summary: string; readonly detail: string } | undefined;
  readonly functions?: HostFunctions;
}

/** The functions of providers, in addition to the functions of the language. */
export interface HostFunctions {
  /** Returns the function with a full name, such as `provider::acme::parse`; undefined if there is none. */
  find(name: string): Definition | undefined;
  /** Returns the full names of all functions, for suggestions in errors. */
  names(): Iterable<string>;
  /** Returns true if a provider with this local name is declared and Steward does not know its functions. */
  isOtherProvider(localName: string): boolean;
}

/** A variable of a `for` expression, with a link to the variables of the `for` expressions around it. */
interface Local {
  readonly name: string;
  readonly value: Value;
  readonly outer: Local | undefined;
}

/**
 * The evaluation of one expression. If a part has a problem, the evaluation continues with a placeholder value for this part,
 * and reports all problems together. `try` and conditionals can ignore the problems of a part.
 */
export class Evaluation {
  constructor(
    readonly scope: Scope,
    readonly path: AttributePath,
    readonly problems: ExpressionError[],
    private readonly locals: Local | undefined,
    /** The current element of the innermost splat. */
    readonly item: Value,
    private readonly evaluateNode: (node: Node, evaluation: Evaluation) => Value,
  ) {}

  static start(scope: Scope, evaluateNode: (node: Node, evaluation: Evaluation) => Value): Evaluation {
    return new Evaluation(scope, [], [], undefined, UNKNOWN, evaluateNode);
  }

  value(node: Node): Value {
    return this.evaluateNode(node, this);
  }

  /** Records a problem, and returns the placeholder as the value of the invalid part. */
  fail(summary: string, detail: string, range: Range, placeholder: Value = UNKNOWN): Value {
    this.problems.push(new ExpressionError(summary, detail, range, this.path));
    return placeholder;
  }

  /** Returns an error that `try` and `can` don't handle, such as an unknown name. */
  staticError(
    summary: string,
    detail: string,
    range: Range,
    action?: DiagnosticAction,
  ): StaticExpressionError {
    return new StaticExpressionError(summary, detail, range, this.path, [], action);
  }

  /**
   * Returns a value converted to a type. If the conversion is impossible, reports the reason and returns undefined.
   *
   * @param what a clause that comes before the reason
   * @param hint a sentence after the reason, with a space before it
   */
  convert(
    value: Value,
    type: Type,
    range: Range,
    summary: string,
    what: string,
    hint = "",
  ): Value | undefined {
    const converted = tryConvert(value, type);
    if (!(converted instanceof ConversionError)) return converted;
    this.fail(summary, `${what}: ${converted.message}.${hint}`, range);
    return undefined;
  }

  /** Evaluates a part of the expression. The result contains the part's problems, so that the caller can ignore them. */
  attempt(node: Node): { readonly value: Value; readonly problems: readonly ExpressionError[] } {
    const inner = this.copy({ problems: [] });
    return { value: inner.value(node), problems: inner.problems };
  }

  withLocals(variables: readonly (readonly [string | undefined, Value])[]): Evaluation {
    let locals = this.locals;
    for (const [name, value] of variables) if (name !== undefined) locals = { name, value, outer: locals };
    return this.copy({ locals });
  }

  withItem(item: Value): Evaluation {
    return this.copy({ item });
  }

  within(path: AttributePath): Evaluation {
    return this.copy({ path: [...this.path, ...path] });
  }

  local(name: string): Value | undefined {
    for (let local = this.locals; local !== undefined; local = local.outer) {
      if (local.name === name) return local.value;
    }
    return undefined;
  }

  private copy(
    changes: Partial<Pick<Evaluation, "path" | "problems" | "item">> & { locals?: Local | undefined },
  ): Evaluation {
    return new Evaluation(
      this.scope,
      changes.path ?? this.path,
      changes.problems ?? this.problems,
      "locals" in changes ? changes.locals : this.locals,
      changes.item ?? this.item,
      this.evaluateNode,
    );
  }
}

import type { AttributePath, DiagnosticAction } from "../../diagnostics";
import { ConversionError, type Type, tryConvert, UNKNOWN, type Value } from "../values";
import { ExpressionError, StaticExpressionError } from "./errors";
import type { Definition } from "./functions/definition";
import type { Node, Range, Traversal } from "./syntax";

/** Names that the host defines. */
export interface Scope {
  /**
   * Returns the value of a name, and the number of consumed steps. The name may be the longest prefix of the traversal that the
   * host resolves at once. Undefined for an unknown name. An `ExpressionError` thrown here is a problem of the expression, which
   * `try` handles. Other errors propagate.
   */
  resolve(traversal: Traversal): { readonly value: Value; readonly consumed: number } | undefined;
  /** Explains an unknown name, if the host knows more about it. */
  explainUnknown?(traversal: Traversal): { readonly summary: string; readonly detail: string } | undefined;
  readonly functions?: HostFunctions;
}

/** Functions that the host adds to the language's functions: the functions of providers. */
export interface HostFunctions {
  /** Finds a function by its full name, such as `provider::acme::parse`. */
  find(name: string): Definition | undefined;
  /** The full names, for suggestions. */
  names(): Iterable<string>;
  /** Whether a provider with this local name is declared, and its functions are unknown. */
  isOtherProvider(localName: string): boolean;
}

/** A variable of a `for`, linked to the variables of the enclosing `for` expressions. */
interface Local {
  readonly name: string;
  readonly value: Value;
  readonly outer: Local | undefined;
}

/**
 * One evaluation. It collects problems instead of throwing them, and continues with a placeholder. All problems of
 * an expression are therefore reported together, and `try` and conditionals can discard some.
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

  /** Records a problem and returns a placeholder. */
  fail(summary: string, detail: string, range: Range, placeholder: Value = UNKNOWN): Value {
    this.problems.push(new ExpressionError(summary, detail, range, this.path));
    return placeholder;
  }

  /** An error that `try` and `can` do not handle. */
  staticError(
    summary: string,
    detail: string,
    range: Range,
    action?: DiagnosticAction,
  ): StaticExpressionError {
    return new StaticExpressionError(summary, detail, range, this.path, [], action);
  }

  /**
   * Converts a value. If that is impossible, reports the reason and returns undefined.
   *
   * @param what a clause before the reason
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

  /** Evaluates a part separately, because its problems may be discarded. */
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

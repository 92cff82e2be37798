import type { AttributePath } from "../../diagnostics";
import { UNKNOWN, type Value } from "../values";
import { ExpressionError } from "./errors";
import type { Node, Range, Traversal } from "./syntax";

/** What the host knows of names. */
export interface Scope {
  /**
   * The value of a name, or of the longest beginning of the traversal that the host can resolve without building more
   * than is asked for, and how many steps after the root that took. Undefined when there is no such name.
   * An `ExpressionError` thrown here counts as one of the expression (`try` turns it away); any other goes through.
   */
  resolve(traversal: Traversal): { readonly value: Value; readonly consumed: number } | undefined;
  /** Names that exist, for suggestions. */
  readonly names?: () => Iterable<string>;
}

/** A variable of a `for`, on top of those around it. */
interface Local {
  readonly name: string;
  readonly value: Value;
  readonly outer: Local | undefined;
}

/**
 * One run of the evaluator. Problems are collected rather than thrown: evaluation goes on with a stand-in, so that
 * all problems of an expression are told at once, and `try` and conditionals can turn some of them away.
 */
export class Evaluation {
  constructor(
    readonly scope: Scope,
    readonly source: string,
    readonly path: AttributePath,
    readonly problems: ExpressionError[],
    private readonly locals: Local | undefined,
    /** The element at hand of the innermost splat. */
    readonly item: Value,
    private readonly evaluateNode: (node: Node, evaluation: Evaluation) => Value,
  ) {}

  static start(
    scope: Scope,
    source: string,
    evaluateNode: (node: Node, evaluation: Evaluation) => Value,
  ): Evaluation {
    return new Evaluation(scope, source, [], [], undefined, UNKNOWN, evaluateNode);
  }

  value(node: Node): Value {
    return this.evaluateNode(node, this);
  }

  /** Notes a problem and gives the stand-in to go on with. */
  fail(summary: string, detail: string, range: Range, standIn: Value = UNKNOWN): Value {
    this.problems.push(new ExpressionError({ summary, detail, source: this.source, range, path: this.path }));
    return standIn;
  }

  get failed(): boolean {
    return this.problems.length > 0;
  }

  /** A run of its own for a part whose problems may not count. */
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

  within(source: string, path: AttributePath): Evaluation {
    return this.copy({ source, path: [...this.path, ...path] });
  }

  local(name: string): Value | undefined {
    for (let local = this.locals; local !== undefined; local = local.outer) {
      if (local.name === name) return local.value;
    }
    return undefined;
  }

  private copy(changes: {
    source?: string;
    path?: AttributePath;
    problems?: ExpressionError[];
    locals?: Local | undefined;
    item?: Value;
  }): Evaluation {
    return new Evaluation(
      this.scope,
      changes.source ?? this.source,
      changes.path ?? this.path,
      changes.problems ?? this.problems,
      "locals" in changes ? changes.locals : this.locals,
      changes.item ?? this.item,
      this.evaluateNode,
    );
  }
}

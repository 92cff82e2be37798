import { type AttributePath, type Diagnostic, error } from "../../diagnostics";
import { type Expression, ExpressionError, evaluate, type Scope, type Traversal } from "../syntax";
import { subjectOf } from "../syntax/subject";
import { DYNAMIC, isDeeperThan, object, string, unknown, type Value } from "../values";

/**
 * Levels of lists and objects within each other that the value of an expression may have. A state keeps the type of a value
 * as well, with two levels for each of the value's, and a state is read down to `MAX_JSON_DEPTH`: what is kept can be read.
 */
const MAX_VALUE_DEPTH = 100;

/** Where an expression stands: its diagnostics carry it. */
export interface Site {
  readonly address: string;
  readonly construct: string | undefined;
}

/** What `count` and `each` are in one instance of a declaration, and, in its conditions, `self`. */
export interface Repetition {
  readonly self?: Value;
  readonly count?: Value;
  readonly each?: { readonly key: Value; readonly value: Value };
}

/** A value, unless there are errors among the diagnostics. */
export interface Evaluated {
  readonly value: Value | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The values of declarations as far as a walk has come. What is declared and has no value yet, as it failed or was
 * left out, is unknown.
 */
export class Evaluation {
  readonly #values = new Map<string, Value | (() => Value)>();
  readonly #declared: ReadonlySet<string>;
  readonly #folder: string;
  #isLenient = false;

  constructor(declared: ReadonlySet<string>, folder: string) {
    this.#declared = declared;
    this.#folder = folder;
  }

  /** From here on what is not declared is unknown, and no error: it was told already. */
  passOverUndeclared(): void {
    this.#isLenient = true;
  }

  /** Gives a declaration its value, by address: `var.x`, `local.x`, `steward_project.x`, `data.steward_project.x`. */
  set(address: string, value: Value): void {
    this.#values.set(address, value);
  }

  /** The same for a value that is worked out when something refers to it. */
  setLazily(address: string, value: () => Value): void {
    this.#values.set(address, value);
  }

  get(address: string): Value | undefined {
    let value = this.#values.get(address);
    if (typeof value !== "function") return value;
    value = value();
    this.#values.set(address, value);
    return value;
  }

  /** Evaluates one expression; what is wrong comes back as diagnostics that name the site and the attribute. */
  evaluate(
    expression: Expression,
    site: Site,
    attribute: AttributePath,
    repetition: Repetition = {},
  ): Evaluated {
    try {
      const value = evaluate(expression, this.#scope(repetition));
      if (isDeeperThan(value.type, MAX_VALUE_DEPTH)) {
        return { value: undefined, diagnostics: [tooDeep(site, attribute)] };
      }
      return { value, diagnostics: [] };
    } catch (problem) {
      if (!(problem instanceof ExpressionError)) throw problem;
      const diagnostics = [problem, ...problem.others].map((one) => expressionProblem(one, site, attribute));
      return { value: undefined, diagnostics };
    }
  }

  #scope(repetition: Repetition): Scope {
    return { resolve: (traversal) => this.#resolve(traversal, repetition) };
  }

  #resolve(traversal: Traversal, repetition: Repetition): { value: Value; consumed: number } | undefined {
    const { kind, address, steps } = subjectOf(traversal);
    if (kind === "repetition") {
      const value = repetitionValue(address, repetition);
      return value && { value, consumed: steps };
    }
    if (kind === "path") return { value: this.#path(), consumed: 0 };
    if (kind === "terraform") return { value: object({ workspace: string("default") }), consumed: 0 };
    const value = this.get(address);
    if (value !== undefined) return { value, consumed: steps };
    return this.#isLenient || this.#declared.has(address)
      ? { value: unknown(DYNAMIC), consumed: steps }
      : undefined;
  }

  #path(): Value {
    return object({ module: string("."), root: string("."), cwd: string(this.#folder) });
  }
}

function repetitionValue(address: string, { count, each, self }: Repetition): Value | undefined {
  if (address === "self") return self;
  if (address === "count.index") return count;
  if (address === "each.key") return each?.key;
  return address === "each.value" ? each?.value : undefined;
}

const tooDeep = ({ address, construct }: Site, attribute: AttributePath): Diagnostic =>
  error({
    code: "invalid_expression",
    summary: "Value nested too deep",
    detail:
      `The value has more than ${MAX_VALUE_DEPTH} levels of lists and objects within each other, and a state keeps no more. ` +
      "Keep it as text instead, with jsonencode(), or take levels out of it.",
    address,
    attribute: [...attribute],
    ...(construct !== undefined && { construct }),
  });

const expressionProblem = (
  { summary, detail, path }: ExpressionError,
  { address, construct }: Site,
  attribute: AttributePath,
): Diagnostic =>
  error({
    code: "invalid_expression",
    summary,
    detail,
    address,
    attribute: [...attribute, ...path],
    ...(construct !== undefined && { construct }),
  });

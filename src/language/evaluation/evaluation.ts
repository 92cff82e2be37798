import { type AttributePath, type Diagnostic, type DiagnosticPath, error } from "../../diagnostics";
import {
  type Expression,
  ExpressionError,
  evaluate,
  type HostFunctions,
  type Scope,
  type Traversal,
} from "../syntax";
import { programForReference } from "../syntax/errors";
import { referencedDeclaration } from "../syntax/references";
import { DYNAMIC, isDeeperThan, object, string, unknown, type Value } from "../values";
import { missingRepetition, type Repetition, repetitionValue } from "./repetition";

/**
 * The maximum number of nested levels in the value of an expression. In a state, the type of a value has two levels for each
 * level of the value. With this maximum, no state has more than `MAX_JSON_DEPTH` levels.
 */
const MAX_VALUE_DEPTH = 100;

/** The location of an expression: the address and construct of its block, for diagnostics. */
export interface SourceLocation {
  readonly address: string;
  readonly construct: string | undefined;
}

/** The result of evaluating an expression. The value is undefined if the diagnostics contain errors. */
export interface Evaluated {
  readonly value: Value | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The values of declarations, for expressions that refer to them. If the evaluation of a declaration failed or was skipped, the
 * declaration's value is unknown.
 */
export class Evaluation {
  readonly #values = new Map<string, Value | (() => Value)>();
  readonly #workspace: string;
  readonly #functions: HostFunctions | undefined;
  #isLenient = false;
  #others: ((address: string) => Value | undefined) | undefined;

  /**
   * @param isDeclared returns whether an address is declared; expressions can refer only to declared addresses
   * @param folder the folder of the configuration
   * @param functions the functions of providers
   */
  constructor(
    private readonly isDeclared: (address: string) => boolean,
    private readonly folder: string,
    functions?: HostFunctions,
    workspace = "default",
  ) {
    this.#functions = functions;
    this.#workspace = workspace;
  }

  /**
   * Gives references to undeclared names an unknown value instead of an error. A caller uses this method after it has reported
   * the errors itself.
   */
  allowUndeclared(): void {
    this.#isLenient = true;
  }

  /**
   * Sets the value of a declaration by its address: `var.x`, `local.x`, `acme_thing.x`,
   * `data.acme_thing.x`.
   */
  set(address: string, value: Value): void {
    this.#values.set(address, value);
  }

  /** Sets the value of a declaration as a function, which computes the value on first use. */
  setLazily(address: string, value: () => Value): void {
    this.#values.set(address, value);
  }

  /**
   * Sets the function that returns the values of all declarations without a set value, on first use. Most of these values are
   * never used.
   */
  setOthers(others: (address: string) => Value | undefined): void {
    this.#others = others;
  }

  get(address: string): Value | undefined {
    let value = this.#values.get(address);
    if (value === undefined && this.#others !== undefined) {
      value = this.#others(address);
      if (value !== undefined) this.#values.set(address, value);
    }
    if (typeof value !== "function") return value;
    value = value();
    this.#values.set(address, value);
    return value;
  }

  /** Returns the value of an expression, or its errors as diagnostics with the location and the attribute. */
  evaluate(
    expression: Expression,
    site: SourceLocation,
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
    return {
      resolve: (traversal) => this.#resolve(traversal, repetition),
      explainUnknown: (traversal) => missingRepetition(traversal),
      ...(this.#functions && { functions: this.#functions }),
    };
  }

  #resolve(traversal: Traversal, repetition: Repetition): { value: Value; consumed: number } | undefined {
    const { kind, address, steps } = referencedDeclaration(traversal);
    if (kind === "repetition") {
      const value = repetitionValue(address, repetition);
      return value && { value, consumed: steps };
    }
    if (kind === "path") return { value: this.#path(), consumed: 0 };
    if (kind === "terraform" && programForReference(address) === undefined)
      return { value: object({ workspace: string(this.#workspace) }), consumed: 0 };
    const value = this.get(address);
    if (value !== undefined) return { value, consumed: steps };
    return this.#isLenient || this.isDeclared(address)
      ? { value: unknown(DYNAMIC), consumed: steps }
      : undefined;
  }

  #path(): Value {
    return object({ module: string("."), root: string("."), cwd: string(this.folder) });
  }
}

/** Returns the fields of a diagnostic that contain the location of a problem. */
export const locate = ({ address, construct }: SourceLocation, attribute?: DiagnosticPath) => ({
  address,
  ...(construct !== undefined && { construct }),
  ...(attribute !== undefined && { attribute }),
});

const tooDeep = (site: SourceLocation, attribute: AttributePath): Diagnostic =>
  error({
    code: "invalid_expression",
    summary: "Value nested too deep",
    detail: `The value has more than ${MAX_VALUE_DEPTH} nested levels of lists and objects, the maximum in a state. Store it as text with jsonencode(), or reduce the nesting.`,
    ...locate(site, [...attribute]),
  });

const expressionProblem = (
  { summary, detail, path, action }: ExpressionError,
  site: SourceLocation,
  attribute: AttributePath,
): Diagnostic =>
  error({
    code: "invalid_expression",
    summary,
    detail,
    ...(action !== undefined && { action }),
    ...locate(site, [...attribute, ...path]),
  });

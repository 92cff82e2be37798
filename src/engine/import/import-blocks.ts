import { type Diagnostic, didYouMean, error } from "../../diagnostics";
import {
  ConversionError,
  convert,
  DYNAMIC,
  type Expression,
  type ImportDeclaration,
  impliedType,
  instanceAddress,
  keyOf,
  number,
  type Repetition,
  type ResourceDeclaration,
  STRING,
  string,
  toPlain,
  unknown,
  unmarkDeep,
  type Value,
} from "../../language";
import type { Value as Plain, ValueObject } from "../../schema";
import { withoutKey } from "../declarations/address-keys";
import { invalidImport } from "../declarations/check-blocks";
import type { InstanceKey } from "../stack-run/instances";
import type { StackRun } from "../stack-run/stack-run";

/** The id of the object to import, or the attributes of its identity. */
export type ImportTarget =
  | { readonly id: string; readonly identity?: undefined }
  | { readonly id?: undefined; readonly identity: ValueObject };

const EACH = unknown(DYNAMIC);

/** Reads an `import` block. If there is a problem, the reader adds the problem to `diagnostics`, and the target is left out. */
export class ImportReader {
  /** @param isPlanned whether all values must be known; if false, unknown values are not checked */
  constructor(
    private readonly run: StackRun,
    private readonly block: ImportDeclaration,
    private readonly declaration: ResourceDeclaration,
    private readonly diagnostics: Diagnostic[],
    private readonly isPlanned = true,
  ) {}

  /** Returns the addresses of the instances that the block names, each with the object to import. */
  targets(): [address: string, target: ImportTarget][] {
    return this.#repetitions().flatMap((repetition) => {
      const key = this.#key(repetition);
      const target = key === undefined ? undefined : this.#target(repetition);
      if (key === undefined || target === undefined) return [];
      const [indexKey] = key;
      return [[instanceAddress(this.declaration, indexKey === undefined ? {} : { indexKey }), target]];
    });
  }

  /**
   * Checks the block for each element of its `for_each`. If the elements are unknown, checks the block once, with unknown
   * values for `each.key` and `each.value`.
   */
  check(): void {
    const { forEach, key } = this.block;
    this.#hasRightKey();
    const known = this.#repetitions();
    const any = forEach === undefined ? {} : { each: { key: EACH, value: EACH } };
    for (const repetition of known.length > 0 ? known : [any]) {
      const before = this.diagnostics.length;
      if (key !== undefined) this.#checkKey(key, repetition);
      this.#target(repetition);
      // The check ends after the first problem, because the other elements would report the same problem again.
      if (this.diagnostics.length > before) return;
    }
  }

  /** Adds a problem of the block to the diagnostics. */
  reject(why: string): undefined {
    this.diagnostics.push(invalidImport(this.block, why));
    return undefined;
  }

  #repetitions(): Repetition[] {
    const { forEach } = this.block;
    if (forEach === undefined) return [{}];
    const value = this.#evaluate(forEach, "for_each", {});
    return (value && this.#repetitionsOf(value)) ?? [];
  }

  #repetitionsOf(value: Value): Repetition[] | undefined {
    if (value.isSensitive)
      return this.reject("Its for_each is sensitive, and its keys would appear in addresses.");
    if (value.isNull) return this.reject("Its for_each is null.");
    switch (value.type.kind) {
      case "map":
      case "object":
        return [...value.entries].map(([key, one]) => ({ each: { key: string(key), value: one } }));
      case "set":
        return value.elements.map((one) => ({ each: { key: one, value: one } }));
      case "list":
      case "tuple":
        return value.elements.map((one, index) => ({ each: { key: number(index), value: one } }));
      default:
        return this.reject("Its for_each is not a map, set or list.");
    }
  }

  /**
   * Returns a tuple with the key of the target; the tuple contains undefined if the target has no key. Returns undefined
   * instead of a tuple if the key is invalid.
   */
  #key(repetition: Repetition): [InstanceKey] | undefined {
    if (!this.#hasRightKey()) return undefined;
    const { key: expression } = this.block;
    if (expression === undefined) return [undefined];
    const value = this.#evaluate(expression, "to", repetition);
    if (value === undefined) return undefined;
    const key = keyOf(value);
    return key === undefined
      ? this.reject("The key of its target is neither a string nor a whole number.")
      : [key];
  }

  /** Checks that a known key has the type of the instances' keys: a string under `for_each`, and a number under `count`. */
  #checkKey(expression: Expression, repetition: Repetition): void {
    const value = this.#evaluate(expression, "to", repetition);
    if (value === undefined) return;
    const { address, count, forEach } = this.declaration;
    if (count === undefined && forEach === undefined) return;
    const argument = count === undefined ? "for_each" : "count";
    const kind = count === undefined ? "string" : "number";
    if (keyOf(value) === undefined)
      this.reject("The key of its target is neither a string nor a whole number.");
    else if (typeof keyOf(value) !== kind)
      this.reject(`${address} has ${argument}, so the key of its target must be a ${kind}.`);
  }

  /** Checks that the target has a key if its resource has `count` or `for_each`, and no key otherwise. */
  #hasRightKey(): boolean {
    const { count, forEach, address } = this.declaration;
    const isRepeated = count !== undefined || forEach !== undefined;
    const hasKey = this.block.key !== undefined;
    if (isRepeated && !hasKey)
      this.reject(`${address} has count or for_each. Name one instance with its key.`);
    if (!isRepeated && hasKey)
      this.reject(`${address} has neither count nor for_each. Name it without a key.`);
    return isRepeated === hasKey;
  }

  #target(repetition: Repetition): ImportTarget | undefined {
    const { id: expression, identity } = this.block;
    if (expression === undefined) return this.#identity(identity!, repetition);
    const value = this.#evaluate(expression, "id", repetition);
    if (value?.isNull) return this.reject("Its id is null.");
    const id =
      value &&
      this.#convert(
        () => convert(value, STRING).content as string,
        () => "Its id is not a string.",
      );
    if (id === "") return this.reject("Its id is an empty string.");
    return id === undefined ? undefined : { id };
  }

  /**
   * Returns the identity in the block, with its attributes converted to the types of the schema. A missing optional attribute
   * becomes null.
   */
  #identity(expression: Expression, repetition: Repetition): ImportTarget | undefined {
    const value = this.#evaluate(expression, "identity", repetition);
    const { identity: schema } = this.run.schema(this.declaration);
    if (schema === undefined)
      return this.reject(`A ${this.declaration.type} has no identity. Import it by its ID.`);
    if (value === undefined) return undefined;
    const { attributes } = schema;
    const names = Object.keys(attributes);
    if (value.isNull) return this.reject("Its identity is null.");
    if (value.type.kind !== "object" && value.type.kind !== "map")
      return this.reject(`Its identity is not an object with ${names.join(" and ")}.`);
    const types = impliedType(attributes).attributes;
    const problems = this.diagnostics.length;
    for (const name of value.entries.keys()) {
      if (types.has(name)) continue;
      const hint = didYouMean(name, names, `It has ${names.join(" and ")}.`);
      this.reject(`Its identity has no attribute "${name}". ${hint}`);
    }
    if (this.diagnostics.length > problems) return undefined;
    const identity: Record<string, Plain> = {};
    for (const name of names) {
      const given = value.entries.get(name);
      identity[name] = null;
      if (given !== undefined && !given.isNull)
        identity[name] =
          this.#convert(
            () => toPlain(unmarkDeep(convert(given, types.get(name)!)).value),
            (why) => `Its identity.${name} is invalid: ${why}.`,
          ) ?? null;
      else if (attributes[name]!.presence === "required") this.reject(`Its identity has no ${name}.`);
    }
    return this.diagnostics.length > problems ? undefined : { identity };
  }

  #convert<T>(work: () => T, describe: (why: string) => string): T | undefined {
    try {
      return work();
    } catch (problem) {
      if (!(problem instanceof ConversionError)) throw problem;
      return this.reject(describe(problem.reason));
    }
  }

  #evaluate(expression: Expression, argument: string, repetition: Repetition): Value | undefined {
    const site = { address: this.block.target, construct: undefined };
    const { value, diagnostics } = this.run.evaluation.evaluate(expression, site, [argument], repetition);
    this.diagnostics.push(...diagnostics);
    if (!this.isPlanned) return value?.isKnown ? value : undefined;
    if (value?.hasEphemeral)
      return this.reject(`Its ${argument} is ephemeral, but imported objects are stored in the state.`);
    if (value === undefined || (argument === "identity" ? !value.hasUnknown : value.isKnown)) return value;
    return this.reject(
      `Its ${argument} is known only after apply, but the import happens at plan. ` +
        "Apply its dependencies first with --target.",
    );
  }
}

/** Returns the error for an import of an object that the state already holds at another address. */
export const importAlreadyManaged = (address: string, id: string, holder: string): Diagnostic =>
  error({
    code: "import_already_managed",
    summary: "Already in the state",
    detail: `${JSON.stringify(id)} can't be imported to ${address}, because the state contains this object at ${holder}. Nothing was changed. To move the object to the new address, remove the declaration of ${withoutKey(holder)} if there is one, and run:`,
    action: { kind: "move", from: holder, to: address },
    address,
  });

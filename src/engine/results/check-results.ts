import { once } from "../../schema";
import { isJsonObject, type Json, type JsonObject } from "../../state";

/** The kinds of blocks that can have conditions, in Terraform's terms. */
export const CHECKABLE_KINDS = ["resource", "output_value", "check", "var"] as const;
export type CheckableKind = (typeof CHECKABLE_KINDS)[number];

/**
 * The results of a condition, from best to worst. For `unknown`, the values of the condition are not known yet. For `error`,
 * the condition could not be evaluated. An object or a declaration has the worst status of its conditions.
 */
export const CHECK_STATUSES = ["pass", "unknown", "fail", "error"] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** A checked object: an instance of a resource, an output, a variable or a check block. */
export interface CheckedObject {
  readonly address: string;
  readonly status: CheckStatus;
  readonly failureMessages: readonly string[];
}

/** The result of one declaration with conditions, and the results of its objects. */
export interface CheckResult {
  readonly kind: CheckableKind;
  /** The address of the declaration, without a key. */
  readonly declaration: string;
  readonly status: CheckStatus;
  readonly objects: readonly CheckedObject[];
}

export const worst = (statuses: readonly CheckStatus[]): CheckStatus =>
  CHECK_STATUSES.findLast((status) => statuses.includes(status)) ?? "pass";

/** The result of one kind of an object's conditions, such as its preconditions. */
export interface PartResult {
  readonly status: CheckStatus;
  readonly failureMessages: readonly string[];
}

const NOT_EVALUATED: PartResult = { status: "unknown", failureMessages: [] };

/** The results by the address of the object, and then by the kind of its conditions. */
type Objects = Map<string, Map<string, PartResult>>;

/** Collects the results of all conditions of a run. */
export class CheckResults {
  readonly #declarations = new Map<string, { kind: CheckableKind; objects: Objects | undefined }>();

  /** Registers a declaration with conditions that are not evaluated yet, and its objects if they are known. */
  expect(
    kind: CheckableKind,
    declaration: string,
    objects?: Iterable<{ readonly address: string }>,
    parts: readonly string[] = [],
  ): void {
    if (objects === undefined) {
      if (!this.#declarations.has(declaration))
        this.#declarations.set(declaration, { kind, objects: undefined });
      return;
    }
    this.#objectsOf(kind, declaration);
    for (const { address } of objects)
      for (const part of parts) this.report(kind, declaration, address, part, NOT_EVALUATED);
  }

  #objectsOf(kind: CheckableKind, declaration: string): Objects {
    const objects: Objects = this.#declarations.get(declaration)?.objects ?? new Map();
    this.#declarations.set(declaration, { kind, objects });
    return objects;
  }

  /** Records the result of one kind of an object's conditions. */
  report(
    kind: CheckableKind,
    declaration: string,
    address: string,
    part: string,
    { status, failureMessages }: PartResult,
  ): void {
    const parts = once(this.#objectsOf(kind, declaration), address, () => new Map<string, PartResult>());
    parts.set(part, { status, failureMessages });
  }

  /** Returns the result `unknown` for all declarations. Runs that evaluate no conditions use this result. */
  declared(): CheckResult[] {
    return this.all().map(({ kind, declaration }) => ({ kind, declaration, status: "unknown", objects: [] }));
  }

  /** Returns all results, sorted by address. */
  all(): CheckResult[] {
    return [...this.#declarations.keys()].sort().map((declaration) => this.of(declaration)!);
  }

  /** Returns the result of one declaration; undefined if the declaration has no conditions. */
  of(declaration: string): CheckResult | undefined {
    const known = this.#declarations.get(declaration);
    if (known === undefined) return undefined;
    const { kind, objects } = known;
    if (objects === undefined) return { kind, declaration, status: "unknown", objects: [] };
    const checked = [...objects.keys()]
      .sort()
      .map((address) => objectOf(address, [...objects.get(address)!.values()]));
    return { kind, declaration, status: worst(checked.map(({ status }) => status)), objects: checked };
  }
}

const objectOf = (address: string, parts: readonly PartResult[]): CheckedObject => ({
  address,
  status: worst(parts.map(({ status }) => status)),
  failureMessages: parts.flatMap(({ failureMessages }) => failureMessages),
});

/** Returns the results in state format version 4; null if there are none. */
export function checksInState(results: readonly CheckResult[]): Json {
  if (results.length === 0) return null;
  return results.map(({ kind, declaration, status, objects }) => ({
    object_kind: kind === "output_value" ? "output" : kind,
    config_addr: declaration,
    status,
    objects: objects.length === 0 ? null : objects.map(objectInState),
  }));
}

const objectInState = ({ address, status, failureMessages }: CheckedObject): JsonObject => ({
  object_addr: address,
  status,
  ...(failureMessages.length > 0 && { failure_messages: [...failureMessages] }),
});

/** Reads the results that `checksInState` or Terraform wrote. Ignores values of any other shape. */
export const checksOfState = (results: Json | undefined): CheckResult[] =>
  objectsIn(results).flatMap(({ object_kind: kind, config_addr: declaration, status, objects }) => {
    if (typeof declaration !== "string") return [];
    return {
      kind: (kind === "output" ? "output_value" : kind) as CheckableKind,
      declaration,
      status: status as CheckStatus,
      objects: objectsIn(objects).flatMap((one) => checkedObject(one, declaration)),
    };
  });

function checkedObject(
  { object_addr: address, status, failure_messages: messages }: JsonObject,
  declaration: string,
): CheckedObject[] {
  if (typeof address !== "string" || !address.startsWith(declaration)) return [];
  const failureMessages = Array.isArray(messages) ? messages.map(String) : [];
  return [{ address, status: status as CheckStatus, failureMessages }];
}

const objectsIn = (json: Json | undefined): JsonObject[] =>
  Array.isArray(json) ? json.filter(isJsonObject) : [];

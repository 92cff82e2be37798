import { isJsonObject, type Json, type JsonObject } from "../../state";

/** What can hold conditions, in Terraform's words. */
export type CheckableKind = "resource" | "output_value" | "check" | "var";

/** What came of a condition: `unknown` until a value is known, `error` where it could not be evaluated. */
export type CheckStatus = "pass" | "fail" | "error" | "unknown";

/** One object that was checked: an instance of a resource, an output, a variable, a check block. */
export interface CheckedObject {
  readonly address: string;
  readonly status: CheckStatus;
  readonly failureMessages: readonly string[];
}

/** The results of one declaration that holds conditions, with those of its objects. */
export interface CheckResult {
  readonly kind: CheckableKind;
  /** Address of the declaration, without keys. */
  readonly declaration: string;
  readonly status: CheckStatus;
  readonly objects: readonly CheckedObject[];
}

/** From the best to the worst: an object, and a declaration, is as bad as the worst of what it holds. */
const FROM_BEST: readonly CheckStatus[] = ["pass", "unknown", "fail", "error"];

export const worst = (statuses: readonly CheckStatus[]): CheckStatus =>
  statuses.reduce<CheckStatus>(
    (one, other) => (FROM_BEST.indexOf(other) > FROM_BEST.indexOf(one) ? other : one),
    "pass",
  );

/** What came of one part of an object's conditions, such as its preconditions. */
export interface PartResult {
  readonly status: CheckStatus;
  readonly failureMessages: readonly string[];
}

const NOT_YET: PartResult = { status: "unknown", failureMessages: [] };

/** The results of all conditions, as a walk comes to them. */
export class CheckResults {
  readonly #declarations = new Map<
    string,
    { kind: CheckableKind; objects: Map<string, Map<string, PartResult>> | undefined }
  >();

  /** Notes a declaration that has conditions, before it is known which objects it has. */
  declare(kind: CheckableKind, declaration: string): void {
    if (!this.#declarations.has(declaration))
      this.#declarations.set(declaration, { kind, objects: undefined });
  }

  /** Notes that it is known now; there may be none. */
  expand(kind: CheckableKind, declaration: string): Map<string, Map<string, PartResult>> {
    const objects =
      this.#declarations.get(declaration)?.objects ?? new Map<string, Map<string, PartResult>>();
    this.#declarations.set(declaration, { kind, objects });
    return objects;
  }

  /** Notes one of its objects: nothing is known of these parts of its conditions yet. */
  expect(kind: CheckableKind, declaration: string, address: string, parts: readonly string[]): void {
    for (const part of parts) this.report(kind, declaration, address, part, NOT_YET);
  }

  /** Notes what came of a part of an object's conditions. */
  report(
    kind: CheckableKind,
    declaration: string,
    address: string,
    part: string,
    { status, failureMessages }: PartResult,
  ): void {
    const objects = this.expand(kind, declaration);
    const parts = objects.get(address) ?? new Map<string, PartResult>();
    objects.set(address, parts.set(part, { status, failureMessages }));
  }

  /** The declarations alone, in order, for who checks nothing. */
  declared(): CheckResult[] {
    return this.all().map(({ kind, declaration }) => ({ kind, declaration, status: "unknown", objects: [] }));
  }

  /** In order of their addresses. */
  all(): CheckResult[] {
    return [...this.#declarations].sort(byKey).map(([declaration, { kind, objects }]) => {
      if (objects === undefined) return { kind, declaration, status: "unknown", objects: [] };
      const checked = [...objects]
        .sort(byKey)
        .map(([address, parts]) => objectOf(address, [...parts.values()]));
      return { kind, declaration, status: worst(checked.map(({ status }) => status)), objects: checked };
    });
  }
}

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

const objectOf = (address: string, parts: readonly PartResult[]): CheckedObject => ({
  address,
  status: worst(parts.map(({ status }) => status)),
  failureMessages: parts.flatMap(({ failureMessages }) => failureMessages),
});

/** The results as a state of format version 4 keeps them; null where nothing has conditions. */
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

/** Reads what `checksInState` wrote, or Terraform. What is not of that shape tells nothing, and is passed over. */
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

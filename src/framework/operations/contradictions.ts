import { type Diagnostic, type DiagnosticPath, error, formatPath, warning } from "../../diagnostics";
import {
  type AttributeDifference,
  type Attributes,
  addedElements,
  type Declared,
  differencesBy,
  elementStep,
  elementType,
  isDeclared,
  isObject,
  sameValue,
  type Value,
} from "../../schema";
import type { Found, ResourceDefinition } from "../definition/definition";
import type { UnprovenAnswer } from "../protocol/failures";
import { meaning, type Resolved } from "../references/normalize";

// This file compares a live object with its declaration. Values that the service accepted but does not return are errors. Before
// an error, the run repeats the read that contradicts the accepted write.

type Fields = Readonly<Record<string, Resolved>>;

/**
 * Returns the attributes whose live value (`after`) differs from the declared value (`before`). Attributes that the declaration
 * omits are not compared.
 */
export const differences = (
  definition: ResourceDefinition,
  declared: Declared<Attributes>,
  found: Found<Attributes>,
): AttributeDifference<Resolved>[] =>
  differencesBy<Resolved>(
    definition.attributes,
    declared as Fields,
    found as Fields,
    // Most values are equal, so the fast comparison comes first.
    (one, other, { type }) =>
      sameValue(one as Value, other as Value, undefined) || meaning(type, one) === meaning(type, other),
  ).filter(({ name, attribute, before }) => name !== definition.container && isDeclared(attribute, before));

/**
 * Returns the number of differences between a live object and its declaration. In a set, each element that differs counts as one
 * difference. Outside of sets, each attribute that differs counts as one difference.
 */
export const distance = (...objects: Parameters<typeof differences>): number =>
  differences(...objects).reduce((sum, { attribute: { type }, before, after }) => {
    if (type.kind !== "set") return sum + 1;
    const [wanted, shown] = [asElements(before), asElements(after)];
    const means = (element: Resolved) => meaning(elementType(type), element);
    return sum + addedElements(wanted, shown, means).length + addedElements(shown, wanted, means).length;
  }, 0);

/**
 * Returns whether the live object lacks declared elements of sets, and nothing else differs. A service can drop elements that it
 * has accepted.
 */
export const lacksElementsOnly = (...objects: Parameters<typeof differences>): boolean =>
  differences(...objects).every(({ attribute: { type }, before, after }) => {
    if (type.kind !== "set") return false;
    const means = (element: Resolved) => meaning(elementType(type), element);
    return addedElements(asElements(after), asElements(before), means).length === 0;
  });

/** Returns an error for each attribute or element that the service accepted but does not return. */
export const inconsistencies = (
  definition: ResourceDefinition,
  whyDropped: string | undefined,
  declared: Declared<Attributes>,
  found: Found<Attributes>,
): Diagnostic[] =>
  differences(definition, declared, found).flatMap((difference) =>
    difference.attribute.type.kind === "set" ? ofSet(difference, whyDropped) : [inconsistent(difference)],
  );

function ofSet(
  { name, attribute: { type }, before, after }: AttributeDifference<Resolved>,
  whyDropped: string | undefined,
): Diagnostic[] {
  const [wanted, shown] = [asElements(before), asElements(after)];
  const means = (element: Resolved) => meaning(elementType(type), element);
  return [
    ...addedElements(wanted, shown, means).map(({ index, element }) =>
      missing([name, elementStep(type, element, index)], whyDropped),
    ),
    ...addedElements(shown, wanted, means).map(({ element }) => added([name], element)),
  ];
}

const asElements = (value: Resolved): readonly Resolved[] =>
  Array.isArray(value) ? (value as readonly Resolved[]) : [];

const inconsistent = ({ name, before, after }: AttributeDifference<Resolved>): Diagnostic =>
  refuse(
    [name],
    `The service accepted ${show(before)} for \`${name}\`, but returns ${show(after)}. The service may return old values for a short time, so plan again first. If the values still differ, declare the returned value.`,
  );

const missing = (attribute: DiagnosticPath, why = "Remove the entry."): Diagnostic =>
  refuse(
    attribute,
    `The service accepted \`${formatPath(attribute)}\`, but does not return it. The service may return old values for a ` +
      `short time, so plan again first. If the entry is still missing: ${why}`,
  );

const added = (attribute: DiagnosticPath, element: Resolved): Diagnostic =>
  refuse(
    attribute,
    `The service returns ${show(element)} in \`${formatPath(attribute)}\`, but Steward did not send this entry. The service may return old values for a short time, so plan again first. If the entry is still there, declare it.`,
  );

const refuse = (attribute: DiagnosticPath, detail: string): Diagnostic =>
  error({
    code: "inconsistent_result",
    summary: "Service returned a different value than was applied",
    detail,
    attribute,
  });

/** Returns a value as text for messages, with the paths of references and without nulls. */
export function show(value: Resolved): string {
  return JSON.stringify(value, (_, part: Value) => {
    if (!isObject(part)) return part;
    if (typeof part["id"] === "number") return part["path"] ?? part["id"];
    return Object.fromEntries(Object.entries(part).filter(([, field]) => field !== null));
  });
}

/**
 * The pauses in milliseconds, 15 seconds in total. After a read that contradicts an accepted write, each pause comes before one
 * repeated read.
 */
const PAUSES = [500, 1000, 2000, 4000, 7500];
const LONGEST_LAG = PAUSES.reduce((sum, pause) => sum + pause, 0);

/**
 * Returns whether a read can still lack a change that an interrupted run made. Returns true if the start of the change is
 * unknown.
 *
 * @param begunAt the start of the change, in milliseconds since 1970
 */
export const mayLag = (begunAt = Number.NaN): boolean => !(Date.now() - begunAt > LONGEST_LAG);

/**
 * Repeats a read that contradicts an accepted write, until a read agrees with the write or no pause is left. All objects of the
 * run share the pauses. A service with slow replicas therefore costs at most 15 seconds per run.
 */
export class SecondLooks {
  #used = 0;
  #current: Promise<number | undefined> | undefined;

  /** @param wait waits for a number of milliseconds; returns false if the run ends during the wait */
  constructor(private readonly wait: ((milliseconds: number) => Promise<boolean>) | undefined) {}

  /**
   * Waits for the end of the current pause. If no pause is in progress, starts the next pause and waits for its end.
   *
   * @returns the end of the pause as a time of `performance.now()`, which is equal for all callers; undefined if no pause is left
   */
  pause(): Promise<number | undefined> {
    const next = PAUSES[this.#used];
    if (this.#current === undefined && (next === undefined || this.wait === undefined))
      return Promise.resolve(undefined);
    this.#current ??= this.#pause(next!);
    return this.#current;
  }

  /**
   * Repeats a read until `isSettled` accepts the result. When no pause is left, there is one last read.
   *
   * @param look reads the live object, without cached records from before a time of `performance.now()`
   * @returns the last result
   */
  async until<T>(seen: T, isSettled: (seen: T) => boolean, look: (since: number) => Promise<T>): Promise<T> {
    let last = seen;
    while (!isSettled(last)) {
      const since = await this.pause();
      last = await look(since ?? performance.now());
      if (since === undefined) break;
    }
    return last;
  }

  async #pause(milliseconds: number): Promise<number | undefined> {
    const isWhole = await this.wait!(milliseconds);
    // If the run ends during this pause, all other pauses are dropped, so that no more reads are sent.
    this.#used = isWhole ? this.#used + 1 : PAUSES.length;
    this.#current = undefined;
    return isWhole ? performance.now() : undefined;
  }
}

/** Reports changes whose response did not show the outcome, after a read has shown their success. */
export class ProvenByReading {
  readonly #reported = new Set<string>();

  /** Returns at most one warning in a run for each operation, because a proxy rewrites all responses of an operation. */
  warnings(answers: readonly UnprovenAnswer[]): Diagnostic[] {
    const unreported = answers.filter(({ operation }) => {
      const isNew = !this.#reported.has(operation);
      this.#reported.add(operation);
      return isNew;
    });
    return unreported.map(({ operation, request }) =>
      warning({
        code: "proven_by_reading",
        summary: "Unexpected response, but the change is done",
        detail:
          `The response to ${request} does not have the documented format. Steward then read the object, and the change is done. ` +
          "Check for a proxy that changes responses. This warning appears once for each kind of request.",
        cause: operation,
      }),
    );
  }
}

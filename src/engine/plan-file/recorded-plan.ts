import { type Diagnostic, error } from "../../diagnostics";
import type { ReplacedValues, StoredState } from "../../framework";
import { objectName } from "../../language";
import { isWhollyKnown, type Value, type ValueObject } from "../../schema";
import type { Json } from "../../state";
import type { Graph } from "../graph/graph";
import type { Node } from "../run/declarations";
import type { RecordedData, RecordedObject, RecordedReads, RecordedTarget } from "../run/recorded-reads";
import { readDiagnostics } from "./record-json";
import type { ChangeJson, RecordJson } from "./schema";
import { holdsWithheld, type RedactedValue, readValue, Withheld } from "./value-json";

/**
 * What a saved plan recorded about the service. Withheld values come from the state or are read again. So
 * does anything that a provider is configured from: a file must not decide where the token is sent.
 */
export class RecordedPlan implements RecordedReads {
  readonly #record: RecordJson;
  readonly #diagnostics: readonly Diagnostic[];
  /** Recorded drift, by address in the state. */
  readonly #drift: ReadonlyMap<string, ChangeJson>;
  /** Recorded changes, by object name. */
  readonly #changes: ReadonlyMap<string, ChangeJson>;
  /** Addresses of the resources that providers are configured from. */
  readonly #providerDependencies: ReadonlySet<string>;

  constructor(record: RecordJson, graph: Graph<Node>) {
    this.#record = record;
    this.#diagnostics = readDiagnostics(record);
    this.#drift = new Map(record.drift.map((one) => [one.previousAddress ?? one.address, one]));
    this.#changes = new Map(record.changes.map((one) => [objectName(one.address, one.deposed), one]));
    this.#providerDependencies = graph.closure(
      graph.ids.filter((id) => graph.value(id)?.kind === "provider"),
    );
  }

  object(object: RecordedTarget, origin: string, before: StoredState): RecordedObject | undefined {
    const { address, resource, instance } = object;
    if (this.#providerDependencies.has(`${resource.type}.${resource.name}`)) return undefined;
    const name = objectName(address, instance.deposed);
    if (this.#record.unchecked.includes(name)) return { live: before, diagnostics: this.#errorsOf(address) };
    const found = instance.deposed === undefined ? this.#drift.get(origin) : this.#changes.get(name);
    if (found === undefined)
      return { live: instance.deposed === undefined ? before : undefined, diagnostics: [] };
    const live = instance.deposed === undefined ? found.after : found.before;
    if (live === null) return { live: undefined, diagnostics: [] };
    const attributes = restoreWithheld(readValue(live), readValue(found.before), before.attributes);
    if (attributes === undefined) return undefined;
    return { live: { attributes: attributes as ValueObject, private: before.private }, diagnostics: [] };
  }

  imported(address: string): StoredState | undefined {
    const { before = null, importing } = this.#changes.get(address) ?? {};
    if (before === null || importing === undefined) return undefined;
    const attributes = withoutWithheld(before);
    return attributes && { attributes };
  }

  data(address: string): RecordedData | undefined {
    const change = this.#changes.get(address);
    if (change?.mode !== "data" || change.after === null) return undefined;
    if (this.#providerDependencies.has(`data.${change.type}.${change.name}`)) return undefined;
    const attributes = withoutWithheld(change.after);
    if (attributes === undefined) return undefined;
    return isWhollyKnown(attributes)
      ? { attributes, diagnostics: [] }
      : { diagnostics: this.#errorsOf(address) };
  }

  replaced(address: string): ReplacedValues | undefined {
    const { replaced } = this.#changes.get(address) ?? {};
    if (replaced?.live === undefined) return replaced;
    const live = withoutWithheld(replaced.live);
    return live && { live };
  }

  isBlocked(resource: string, address: string): boolean {
    return this.#record.blocked.includes(resource) && !this.#changes.has(address);
  }

  /** Why an object could not be read. A check reports the same as a warning. */
  #errorsOf(address: string): readonly Diagnostic[] {
    const recorded = this.#diagnostics.filter((one) => one.address === address);
    return recorded.length > 0 ? recorded.map((one) => ({ ...one, severity: "error" })) : [notRead(address)];
  }
}

/** Attributes without withheld values; undefined if any is withheld. */
function withoutWithheld(json: Json): ValueObject | undefined {
  const kept = readValue(json);
  return holdsWithheld(kept) ? undefined : (kept as ValueObject);
}

/**
 * A recorded value with withheld parts taken from the state; undefined if the state holds another value.
 *
 * @param before the recorded prior value
 */
function restoreWithheld(
  kept: RedactedValue,
  before: RedactedValue | undefined,
  stored: Value | undefined,
): Value | undefined {
  if (kept instanceof Withheld)
    return before instanceof Withheld && before.number === kept.number ? stored : undefined;
  if (!holdsWithheld(kept)) return kept as Value;
  const parts = Object.entries(kept as object).map(
    ([name, one]) =>
      [name, restoreWithheld(one as RedactedValue, partOf(before, name), partOf(stored, name))] as const,
  );
  if (parts.some(([, part]) => part === undefined)) return undefined;
  if (Array.isArray(kept)) return parts.map(([, part]) => part!);
  return Object.fromEntries(parts) as ValueObject;
}

const partOf = <T>(value: T | undefined, name: string): T | undefined =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, T>)[name]
    : undefined;

const notRead = (address: string): Diagnostic =>
  error({
    code: "saved_plan_differs",
    summary: "Saved plan does not fit the configuration",
    detail: "The saved plan has no recorded reads of this object. Nothing was sent. Plan again.",
    address,
  });

import type { StoredState } from "../../framework";
import { ConversionError, fromPlain, impliedType, objectName } from "../../language";
import { type Attributes, isWhollyKnown, type ValueObject } from "../../schema";
import type { Graph } from "../graph/graph";
import type { Node } from "../run/declarations";
import type { RecordedReads, RecordedTarget } from "../run/recorded-reads";
import type { ChangeJson, RecordJson } from "./schema";
import { holdsWithheld, readValue } from "./value-json";

/**
 * What needs no second read when a saved plan is made again: objects that it leaves as the state has them, and data sources.
 * Everything that the plan changes, imports, moves or found different from the state is read from the service, and so is
 * whatever a diagnostic of the file is about. Withheld values are read again as well, and so is anything that a provider is
 * configured from: a file must not decide where the token is sent.
 */
export class RecordedPlan implements RecordedReads {
  /** Names of the objects, and addresses of the data sources, that are read from the service. */
  readonly #readAgain: ReadonlySet<string>;
  /** Addresses of the objects with a recorded identity. */
  readonly #identified: ReadonlySet<string>;
  /** Recorded data sources, by address. */
  readonly #data: ReadonlyMap<string, ChangeJson>;
  /** Addresses of the resources that providers are configured from. */
  readonly #providerDependencies: ReadonlySet<string>;

  constructor(record: RecordJson, graph: Graph<Node>) {
    this.#readAgain = toReadAgain(record);
    this.#identified = new Set(
      record.changes.flatMap(({ address, beforeIdentity }) => (beforeIdentity ? [address] : [])),
    );
    this.#data = new Map(
      record.changes.filter(({ mode }) => mode === "data").map((one) => [one.address, one]),
    );
    this.#providerDependencies = graph.closure(
      graph.ids.filter((id) => graph.value(id)?.kind === "provider"),
    );
  }

  object(object: RecordedTarget, origin: string, before: StoredState): StoredState | undefined {
    const { address, resource, instance } = object;
    if (this.#providerDependencies.has(`${resource.type}.${resource.name}`)) return undefined;
    const isReadAgain = this.#readAgain.has(address) || this.#readAgain.has(origin);
    // States of older releases have no identities.
    const isToIdentify = before.identity === undefined && this.#identified.has(address);
    return isReadAgain || isToIdentify || instance.deposed !== undefined ? undefined : before;
  }

  data(address: string, attributes: Attributes): ValueObject | undefined {
    const change = this.#data.get(address);
    if (change === undefined || change.after === null || this.#readAgain.has(address)) return undefined;
    if (this.#providerDependencies.has(`data.${change.type}.${change.name}`)) return undefined;
    const values = readValue(change.after);
    if (holdsWithheld(values) || !isWhollyKnown(values as ValueObject)) return undefined;
    return fits(values as ValueObject, attributes) ? (values as ValueObject) : undefined;
  }
}

/** Whether values have the types of a schema. */
function fits(values: ValueObject, attributes: Attributes): boolean {
  try {
    fromPlain(values, impliedType(attributes));
    return true;
  } catch (problem) {
    if (problem instanceof ConversionError) return false;
    throw problem;
  }
}

function toReadAgain({ changes, drift, unchecked, diagnostics }: RecordJson): ReadonlySet<string> {
  const names = new Set(unchecked);
  for (const { address } of diagnostics) if (address !== undefined) names.add(address);
  for (const change of [...changes.filter(isReadAgain), ...drift]) {
    names.add(objectName(change.address, change.deposed));
    if (change.previousAddress !== undefined) names.add(change.previousAddress);
  }
  return names;
}

const isReadAgain = ({ mode, action, importing, previousAddress }: ChangeJson): boolean =>
  mode === "managed" && (action !== "no-op" || importing !== undefined || previousAddress !== undefined);

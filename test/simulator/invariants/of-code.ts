// Rules for live values that a user accepts into the code after a drift detection.
import { ConfigurationSource } from "../../../src/adopt";
import type { DriftedObject, Value } from "../../../src/engine";
import { createProvider } from "../../../src/provider";
import { filesOf } from "../world/app";
import type { Finding, RunRecord } from "../world/records";
import type { World } from "../world/world";

const { resources } = createProvider().schema;

/** The part of a stack's configuration that these rules read. */
interface Configuration {
  readonly resource: Record<string, Record<string, Record<string, unknown>>>;
}

/**
 * Accepting a live value changes one value of the file and nothing else. A file of one line stays one line. Entries do
 * not get attributes that have their default.
 */
export function acceptedValuesKeepTheFile({ story }: World, { outcome, app }: RunRecord): Finding {
  for (const { stack, object } of outcome?.driftedObjects ?? []) {
    const [, text = ""] = filesOf(app, story.keeping).find(([path]) => path.includes(`/${stack}/`)) ?? [];
    for (const attribute of object.attributes) {
      const wrong = acceptInto(text, object, attribute);
      if (wrong !== undefined) return `${object.change.address}: ${attribute} ${wrong}`;
    }
  }
  return undefined;
}

function acceptInto(text: string, { change, declared, kind }: DriftedObject, attribute: string): Finding {
  const { type, address, before, after } = change;
  const name = address.slice(type.length + 1);
  const schema = resources[type]!.attributes[attribute]!;
  const file = new ConfigurationSource(text, "cdk.tf.json");
  const live = after?.[attribute] ?? null;
  const written = (attribute in declared ? declared : before!)[attribute] ?? null;
  const left = file.accept({ type, name, attribute, schema, declared: written, live });
  if (kind === "vanished" || left !== undefined) return undefined;
  if (file.text.includes("\n")) return "is accepted on several lines";
  const [was, is] = [text, file.text].map((one) => JSON.parse(one) as Configuration);
  const accepted = is!.resource[type]![name]![attribute];
  was!.resource[type]![name]![attribute] = accepted;
  if (JSON.stringify(was) !== JSON.stringify(is)) return "is accepted, and other values change";
  return sortedEntries(accepted, false) === sortedEntries(live, true)
    ? undefined
    : `is accepted as ${JSON.stringify(accepted)}, and is ${JSON.stringify(live)}`;
}

/**
 * Returns the entries of a set as sorted text, so that their order does not matter. Returns a single value as JSON.
 * @param isLive true if the service returned the value. A value from the service includes attributes that have their
 * default. These attributes are left out.
 */
const sortedEntries = (value: unknown, isLive: boolean): string =>
  Array.isArray(value)
    ? value
        .map((entry) => entryText(entry, isLive))
        .sort()
        .join()
    : JSON.stringify(value ?? null);

const entryText = (entry: Value, isLive: boolean): string =>
  typeof entry === "object" && entry !== null
    ? Object.entries(entry)
        .filter(([name, value]) => !isLive || (value !== null && (value !== 0 || name !== DEFAULTED)))
        .map(([name, value]) => `${name}=${value}`)
        .sort()
        .join(" ")
    : JSON.stringify(entry);

const DEFAULTED = "group_inheritance_type";

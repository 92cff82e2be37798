import { crc32 } from "node:zlib";
import { unreadable } from "../../files";
import { JsonNumber, jsonNumberText, numberText, plainDecimal, quoteAsGo } from "../../json";
import { compareText, resourceAddress } from "../../language";
import {
  compareInstances,
  compareResources,
  type FleetRecord,
  type InstanceState,
  type Json,
  type JsonObject,
  type OutputState,
  type ResourceState,
  STATE_FORMAT_VERSION,
  type State,
  sorted,
} from "../model/model";
import { rootOf } from "./fields";
import { parseState, readResource } from "./file-format";
import { encodePath } from "./sensitive-paths";

/** Formats a state byte for byte like Terraform 1.11: order of keys and resources, indentation, escapes, last line. */
export function formatState(state: State): string {
  return [...formatStateInParts(state)].join("");
}

/**
 * Formats a state in parts of at most one resource, so that a large state is never a single string. The head, which contains the
 * serial, comes first.
 */
export function* formatStateInParts(state: State): Generator<string> {
  const head = formatJson(encodeHead(state)).slice(0, -"\n}".length);
  const tail = formatJson(encodeTail(state)).slice("{".length);
  const resources = sorted(state.resources, compareResources);
  yield `${head},\n  "resources": [`;
  for (const [at, resource] of resources.entries()) {
    yield `${at === 0 ? "" : ","}\n    ${formatJson(encodeResource(resource), 2)}`;
  }
  yield `${resources.length === 0 ? "]" : "\n  ]"},${tail}\n`;
}

/**
 * Returns an object with its keys in Terraform's order, without keys that have no value. Unknown keys come last in
 * their original order.
 */
const inOrder = (fields: Readonly<Record<string, Writable | undefined>>, extra: JsonObject = {}): Writable =>
  new Map([
    ...Object.entries(fields).filter((field): field is [string, Writable] => field[1] !== undefined),
    ...Object.entries(extra).map(([key, value]) => [key, keepOrder(value)] as const),
  ]);

/**
 * Converts objects to maps, so that `formatJson` keeps the order of their keys. Terraform sorts only the keys of attributes,
 * and `value` is not a part of attributes.
 */
function keepOrder(value: Json): Writable {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(keepOrder);
  return new Map(Object.entries(value).map(([key, one]) => [key, keepOrder(one)]));
}

const encodeHead = (state: State): Writable =>
  inOrder({
    version: STATE_FORMAT_VERSION,
    terraform_version: state.terraformVersion,
    serial: state.serial,
    lineage: state.lineage,
    outputs: encodeOutputs(state.outputs),
  });

const encodeTail = (state: State): Writable =>
  inOrder({ check_results: keepOrder(state.checkResults ?? null) }, state.extra);

const encodeOutputs = (outputs: Record<string, OutputState>): Writable =>
  new Map(
    Object.keys(outputs)
      .sort(compareText)
      .map((name) => {
        const { value, type, sensitive, extra } = outputs[name]!;
        return [name, inOrder({ value, type, sensitive: sensitive || undefined }, extra)];
      }),
  );

const encodeResource = (resource: ResourceState): Writable =>
  inOrder(
    {
      module: resource.module,
      mode: resource.mode,
      type: resource.type,
      name: resource.name,
      each: resource.each,
      provider: resource.provider,
      fleet: resource.fleet ? encodeFleet(resource.fleet) : resource.fleet,
      instances: sorted(resource.instances, compareInstances).map(encodeInstance),
    },
    resource.extra,
  );

const encodeFleet = ({ path, part, onLeave, matched }: FleetRecord): Writable =>
  new Map<string, Writable>([
    ["path", path],
    ["part", part],
    ["on_leave", onLeave],
    ...(matched === undefined ? [] : [["matched", matched] as [string, Writable]]),
  ]);

function encodeInstance(instance: InstanceState): Writable {
  const { identity_schema_version, ...extra } = instance.extra ?? {};
  const { identity, dependencies } = instance;
  return inOrder(
    {
      index_key: instance.indexKey,
      status: instance.status,
      deposed: instance.deposed,
      schema_version: instance.schemaVersion,
      attributes: instance.attributes,
      sensitive_attributes: instance.sensitivePaths.map(encodePath),
      identity_schema_version: identity?.version ?? identity_schema_version,
      identity: identity?.values,
      private: instance.private || undefined,
      dependencies: dependencies.length > 0 ? dependencies : undefined,
      create_before_destroy: instance.createBeforeDestroy || undefined,
    },
    extra,
  );
}

/** A JSON value to write. The keys of a map are written in their order, and the keys of an object are sorted. */
type Writable = Json | ReadonlyMap<string, Writable> | readonly Writable[];

/** Matches a text that every encoder writes unchanged: visible ASCII without the characters that JSON or Go escapes. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : quoteAsGo(text));

/**
 * Formats JSON as Terraform formats its state: two spaces, keys in byte order, numbers without exponent.
 *
 * @param depth the indentation level of the value.
 */
function formatJson(value: Writable, depth = 0): string {
  return formatted(value, `\n${"  ".repeat(depth)}`);
}

function formatted(value: Writable, indent: string): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") return formatNumber(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (value instanceof JsonNumber) return plainDecimal(value.text) ?? jsonNumberText(value);
  if (Array.isArray(value)) return formattedList(value as readonly Writable[], indent);
  return formattedObject(value as WritableObject, indent);
}

type WritableObject = ReadonlyMap<string, Writable> | { [key: string]: Json };

function formattedList(list: readonly Writable[], indent: string): string {
  if (list.length === 0) return "[]";
  const inner = `${indent}  `;
  let text = "";
  for (let position = 0; position < list.length; position++) {
    text += `${position === 0 ? "[" : ","}${inner}${formatted(list[position]!, inner)}`;
  }
  return `${text}${indent}]`;
}

function formattedObject(object: WritableObject, indent: string): string {
  const inner = `${indent}  `;
  let text = "";
  const add = (key: string, value: Writable): void => {
    text += `${text === "" ? "{" : ","}${inner}${quoted(key)}: ${formatted(value, inner)}`;
  };
  if (object instanceof Map)
    for (const [key, value] of object as ReadonlyMap<string, Writable>) add(key, value);
  else for (const key of namesInOrder(object as JsonObject)) add(key, (object as JsonObject)[key]!);
  return text === "" ? "{}" : `${text}${indent}}`;
}

/**
 * Returns the sorted names of an object's fields. For a value of a dynamic type, `value` comes before `type`, as in Terraform.
 */
function namesInOrder(object: JsonObject): string[] {
  const names = Object.keys(object);
  if (names.length === 2 && names[0] === "value" && names[1] === "type") return names;
  const isSorted = names.every((name, at) => at === 0 || compareText(names[at - 1]!, name) < 0);
  return isSorted ? names : names.sort(compareText);
}

function formatNumber(value: number): string {
  if (Number.isSafeInteger(value)) return numberText(value);
  const text = plainDecimal(numberText(value));
  if (text === undefined) throw new RangeError("A number in the state is infinite or not a number");
  return text;
}

/** The name of the new state in errors of the reader, which otherwise contain a path. */
const NEW_STATE = "The new state";

/**
 * Formats a state in parts, and reads each part before it returns the part. Throws if a part can't be read, because an
 * unreadable text must not replace a state.
 *
 * Reads the parts and not the saved file, because a large state is never a single string. Reading takes about a fifth of the
 * time of formatting.
 *
 * @throws FileProblem `unreadable`
 */
export function* readableParts(state: State): Generator<string> {
  const resources = sorted(state.resources, compareResources);
  let head: string | undefined;
  let at = 0;
  for (const part of explained(formatStateInParts(state))) {
    if (head === undefined) head = part;
    else if (part.endsWith("}\n")) readRest(head, part);
    else {
      requireReadable(part, resources[at]!, resources[at - 1]);
      at += 1;
    }
    yield part;
  }
}

/**
 * For each resource address: the length and the checksum of the text that was last read without an error. An equal text
 * is not read again. An apply saves the state several times, and most resources do not change between these saves.
 */
const readBefore = new Map<string, string>();

/** Formats a state as one text, and checks that the reader of states accepts it. @throws FileProblem `unreadable` */
export const readableState = (state: State): string => [...readableParts(state)].join("");

/**
 * Returns the parts one after the other. Converts an error of the formatting, for example about an infinite number, to a
 * `FileProblem`.
 */
function* explained(parts: Iterable<string>): Generator<string> {
  try {
    yield* parts;
  } catch (problem) {
    throw unreadable(problem);
  }
}

function requireReadable(part: string, resource: ResourceState, last: ResourceState | undefined): void {
  orUnreadable(() => {
    if (last !== undefined && compareResources(last, resource) >= 0)
      throw new Error("two resources have one address");
    const text = part.replace(/^,/, "");
    const [address, mark] = [resourceAddress(resource), `${text.length} ${crc32(text)}`];
    if (readBefore.get(address) === mark) return;
    readResource(rootOf(text, NEW_STATE));
    readBefore.set(address, mark);
  });
}

/** Reads the start and the end of a state as a state without resources. */
const readRest = (head: string, tail: string): State =>
  orUnreadable(() => parseState(`${head}${tail.trimStart()}`, NEW_STATE));

function orUnreadable<T>(read: () => T): T {
  try {
    return read();
  } catch (problem) {
    throw unreadable(problem);
  }
}

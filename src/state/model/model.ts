import { isAscii } from "node:buffer";
import { createHash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { fail } from "../../diagnostics";
import { JsonNumber } from "../../json";
import { compareText, FOLLOWED_TERRAFORM_VERSION } from "../../language";

/** A JSON value. A number that a JS number can't represent is a `JsonNumber`. */
export type Json = null | boolean | number | string | JsonNumber | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const isJsonObject = (json: Json | undefined): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json) && !(json instanceof JsonNumber);

/** The supported version of the state format. */
export const STATE_FORMAT_VERSION = 4;

/** A state: the recorded values of all managed objects. */
export interface State {
  /** The serial. The backend increments the serial with each write that changes the state. */
  serial: number;
  /** The lineage, created with the state. States of different lineages are unrelated. */
  lineage: string;
  terraformVersion: string;
  outputs: Record<string, OutputState>;
  resources: ResourceState[];
  /** Results of Terraform's `check` blocks, preserved as read. */
  checkResults?: Json;
  /** Unknown keys, preserved as read. */
  extra?: JsonObject;
}

export interface OutputState {
  value: Json;
  /** The type in JSON, such as `"string"` or `["list", "number"]`. */
  type: Json;
  sensitive: boolean;
  extra?: JsonObject;
}

export interface ResourceState {
  mode: "managed" | "data";
  type: string;
  name: string;
  /** Address of the module that declares the resource, such as `module.web["eu"]`; absent in the root module. */
  module?: string;
  /** A value that Terraform up to 0.12 wrote, preserved as read. */
  each?: string;
  /**
   * The fleet that declared the resource at the last apply; null records that no fleet did. Absent in states of older releases
   * and of Terraform. The keys of the resource's instances name the members.
   */
  fleet?: FleetRecord | null;
  /** Address of the provider configuration, such as `provider["registry.example/acme/acme"].alias`. */
  provider: string;
  instances: InstanceState[];
  extra?: JsonObject;
}

/** The record of a resource's fleet. */
export interface FleetRecord {
  /** The path of the fleet's construct. */
  readonly path: string;
  /** The part of a member's settings to which the resource belongs, such as `environments`. */
  readonly part: string;
  /** The treatment of objects that leave the fleet. */
  readonly onLeave: "keep" | "reset";
  /**
   * The layers, topics and exceptions that matched a member at the last apply, such as `layer acme/web`. Absent in states of
   * older releases.
   */
  readonly matched?: readonly string[];
}

export interface InstanceState {
  /** The index with `count`, or the key with `for_each`. */
  indexKey?: number | string;
  /** The key of a deposed object: eight hexadecimal digits. Absent for the current object of an instance. */
  deposed?: string;
  status?: "tainted";
  schemaVersion: number;
  attributes: Record<string, Json>;
  sensitivePaths: SensitivePath[];
  /** The provider's private data: base64, preserved byte for byte. */
  private?: string;
  /** The addresses of the resources that this object depends on, without instance keys, such as `module.web.acme_thing.one`. */
  dependencies: string[];
  createBeforeDestroy?: boolean;
  /**
   * The attributes that identify the object on the service, and the version of their schema. Terraform has stored them since
   * 1.12.
   */
  identity?: { readonly version: number; readonly values: JsonObject };
  /** Unknown keys, preserved as read. */
  extra?: JsonObject;
}

/** The path of a sensitive value within an instance's attributes. */
export type SensitivePath = readonly SensitiveStep[];

/**
 * One part of a path: an attribute, or an element's index or key. The type of an index is explicit if it is neither text nor
 * number.
 */
export type SensitiveStep = { readonly attribute: string } | { readonly index: Json; readonly type?: Json };

/** Returns an empty state with a new lineage. */
export function emptyState(): State {
  return {
    serial: 0,
    lineage: randomUUID(),
    terraformVersion: FOLLOWED_TERRAFORM_VERSION,
    outputs: {},
    resources: [],
  };
}

/** Returns a copy that does not change if the lists of the state change later. */
export const snapshotOf = (state: State): State => ({
  ...state,
  outputs: { ...state.outputs },
  resources: state.resources.map((resource) => ({ ...resource, instances: [...resource.instances] })),
});

/** Returns a negative number if the left item comes first. */
type Order<T> = (left: T, right: T) => number;

/** Returns a sorted copy. A list that is already sorted takes one comparison for each element. */
export const sorted = <T>(list: readonly T[], order: Order<T>): readonly T[] => [...list].sort(order);

/** Compares resources by their order in a state file. */
export const compareResources: Order<ResourceState> = (left, right) =>
  compareText(left.module ?? "", right.module ?? "") ||
  compareText(left.mode, right.mode) ||
  compareText(left.type, right.type) ||
  compareText(left.name, right.name);

/** Compares instances of a resource by their order in a state file. */
export const compareInstances: Order<InstanceState> = (left, right) =>
  compareKeys(left.indexKey, right.indexKey) || compareText(left.deposed ?? "", right.deposed ?? "");

const RANK: Readonly<Record<string, number>> = { undefined: 0, number: 1, string: 2 };

/**
 * Compares the keys of two instances. An instance without a key comes first, then indexes, then texts in the order of
 * their bytes.
 */
function compareKeys(left: string | number | undefined, right: string | number | undefined): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "string" && typeof right === "string") return compareText(left, right);
  return RANK[typeof left]! - RANK[typeof right]!;
}

/** Returns whether two states are equal except for the serial and the order of their objects. */
export const hasSameContent = (one: State, other: State): boolean =>
  isDeepStrictEqual(contentOf(one), contentOf(other));

const contentOf = ({ serial: _, resources, checkResults = null, ...rest }: State) => ({
  ...rest,
  checkResults,
  resources: sorted(resources, compareResources).map((resource) => ({
    ...resource,
    instances: sorted(resource.instances, compareInstances),
  })),
});

const SERIAL_LINE = /^ {2}"serial": \d+,$/m;

/** A digest of a state's content without the serial. */
export class StateDigest {
  private readonly hash = createHash("sha256");
  private isHead = true;

  add(part: string): void {
    this.hash.update(this.isHead ? part.replace(SERIAL_LINE, "") : part);
    this.isHead = false;
  }

  value(): string {
    return this.hash.digest("base64");
  }

  /** Yields the parts unchanged, and adds each part to the digest. The digest is complete after the last part. */
  *through(parts: Iterable<string>): Generator<string> {
    for (const part of parts) {
      this.add(part);
      yield part;
    }
  }
}

/**
 * Returns the digest of a state's text.
 *
 * @param bytes the bytes of the text, if the caller already has them
 */
export function digestOf(text: string, bytes?: Uint8Array): string {
  if (bytes !== undefined && isAscii(bytes)) return digestOfAscii(text, bytes);
  const digest = new StateDigest();
  digest.add(text);
  return digest.value();
}

function digestOfAscii(text: string, bytes: Uint8Array): string {
  const { 0: line = "", index = 0 } = SERIAL_LINE.exec(text) ?? {};
  const hash = createHash("sha256").update(bytes.subarray(0, index));
  return hash.update(bytes.subarray(index + line.length)).digest("base64");
}

/** A version of a state. */
export interface Version {
  readonly serial: number;
  readonly lineage: string;
  /** The digest of the content without the serial, see `StateDigest`. */
  readonly digest: string;
}

export const isSameVersion = (left: Version | undefined, right: Version | undefined): boolean =>
  left?.digest === right?.digest && left?.serial === right?.serial;

/**
 * Returns the serial with which a pushed state is saved. If the serial of the state is higher than the saved serial,
 * the state keeps its serial. Otherwise, the state gets the next serial.
 */
export const pushedSerial = ({ serial }: Pick<State, "serial">, saved: Version | undefined): number =>
  saved === undefined ? serial : Math.max(serial, saved.serial + 1);

const describe = (version: Version | undefined): string =>
  version === undefined
    ? "no state"
    : `serial ${version.serial} of lineage ${JSON.stringify(version.lineage)}`;

/** Throws the error for a state that another process wrote after this run read it. */
export function stateChanged(
  expected: Version | undefined,
  found: Version | undefined,
  where: string,
): never {
  return fail({
    code: "state_moved_on",
    summary: "State changed during the run",
    detail: `The state ${where} contained ${describe(expected)} when this run read it, and now contains ${describe(found)}. Steward did not overwrite this state. Find the process that changed it, such as a run without a lock. Then run the command again.`,
  });
}

/** Refuses to overwrite a state of another lineage. */
export function requireLineage(state: State, saved: Version | undefined, where: string): void {
  if (saved === undefined || saved.lineage === state.lineage) return;
  fail({
    code: "state_lineage_differs",
    summary: "States are unrelated",
    detail: `The state ${where} has the lineage ${JSON.stringify(saved.lineage)}, but the new state has the lineage ${JSON.stringify(state.lineage)}. The old state was not overwritten. Check the path of the state. To replace the old state anyway, first move its file to another folder.`,
  });
}

/** Throws if a push would replace a state with an unrelated state, or with a state whose serial is not higher. */
export function requirePushable(
  { serial, lineage }: Pick<State, "serial" | "lineage">,
  saved: Version | undefined,
  where: string,
): void {
  if (saved === undefined) return;
  if (lineage !== saved.lineage)
    fail({
      code: "state_lineage_differs",
      summary: "States are unrelated",
      detail: `The state ${where} has the lineage ${JSON.stringify(saved.lineage)}, but the pushed state has the lineage ${JSON.stringify(lineage)}. Nothing was changed. Check which of the two states belongs there. To replace the old state anyway, add --force.`,
    });
  if (serial > saved.serial) return;
  fail({
    code: "state_serial_older",
    summary: "Pushed state is not newer",
    detail: `The state ${where} has serial ${saved.serial}, but the pushed state has serial ${serial} and other content. The state changed after it was pulled. Nothing was changed. Pull the state again and repeat your edit. To replace the newer state anyway, add --force.`,
  });
}

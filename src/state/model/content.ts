import { isAscii } from "node:buffer";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { fail } from "../../diagnostics";
import { compareText } from "../../language";
import type { InstanceState, ResourceState, State } from "./model";

/** Negative if the left one comes first. */
type Order<T> = (left: T, right: T) => number;

/** Sorts a list, unless it is sorted already. */
export function sorted<T>(list: readonly T[], order: Order<T>): readonly T[] {
  const isSorted = list.every((one, at) => at === 0 || order(list[at - 1]!, one) <= 0);
  return isSorted ? list : [...list].sort(order);
}

/** Order of resources in a state file. */
export const compareResources: Order<ResourceState> = (left, right) =>
  compareText(left.module ?? "", right.module ?? "") ||
  compareText(left.mode, right.mode) ||
  compareText(left.type, right.type) ||
  compareText(left.name, right.name);

/** Order of a resource's instances in a state file. */
export const compareInstances: Order<InstanceState> = (left, right) =>
  compareKeys(left.indexKey, right.indexKey) || compareText(left.deposed ?? "", right.deposed ?? "");

const RANK: Readonly<Record<string, number>> = { undefined: 0, number: 1, string: 2 };

/** No key first, then indexes, then keys by their bytes. */
function compareKeys(left: string | number | undefined, right: string | number | undefined): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "string" && typeof right === "string") return compareText(left, right);
  return RANK[typeof left]! - RANK[typeof right]!;
}

/** Whether two states differ in nothing but the serial and the order of their objects. */
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

  /** Passes the parts on. The digest is complete after the last part. */
  *through(parts: Iterable<string>): Generator<string> {
    for (const part of parts) {
      this.add(part);
      yield part;
    }
  }
}

/**
 * Returns the digest of a state's text. The caller passes its bytes if it has them, so that they are not created
 * again.
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
  /** Digest of the content without the serial, see `StateDigest`. */
  readonly digest: string;
}

export const isSameVersion = (left: Version | undefined, right: Version | undefined): boolean =>
  left?.digest === right?.digest && left?.serial === right?.serial;

/** The serial of a state from elsewhere: its own, if that is higher than the saved one. */
export const pushedSerial = ({ serial }: Pick<State, "serial">, saved: Version | undefined): number =>
  saved === undefined ? serial : Math.max(serial, saved.serial + 1);

const describe = (version: Version | undefined): string =>
  version === undefined
    ? "no state"
    : `serial ${version.serial} of lineage ${JSON.stringify(version.lineage)}`;

/** The error for a state that was written since this run read it. */
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

/** Refuses to replace a state with an unrelated one, or with an older state of other content. */
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

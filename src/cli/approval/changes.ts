import { createHash, scryptSync } from "node:crypto";
import {
  type AccessPlace,
  canonicalJson,
  type Encoding,
  groupBy,
  hiddenPaths,
  isPlanned,
  type Plan,
  type ResourceChange,
  recordOf,
  shownId,
  type Value,
} from "../../engine";
import { SensitiveTexts } from "../../text";
import { isOnlyRevert } from "../difference";
import { describePlace } from "../document/access";
import { notCountedText } from "../document/access-entry";
import { containerOf, isKeptOnService } from "../objects/object-facts";
import type { ApprovedChange, Gain } from "./file";

/** The place where a plan would be applied: its stack, and the services of its objects. */
export interface PlanPlace {
  readonly stack: string | undefined;
  /** Returns the address of the service that has the object. */
  serviceOf(change: ResourceChange): string;
}

/** Returns the changes of a plan in the form that approval files contain. */
export function changesToApprove(plan: Plan, place: PlanPlace): ApprovedChange[] {
  const { changes, access } = plan;
  const secrets = secretsOf(changes);
  const redact = (text: string) => secrets.redactText(text);
  const effects = effectsByContainer(access?.places ?? [], redact);
  const gains = gainsByContainer(access?.places ?? [], redact);
  const uncounted = groupBy(access?.notCounted ?? [], ({ what }) => what);
  const reverts = new Set(revertsOf(plan));
  return changes.filter(isPlanned).map((change) => {
    const described = describe(change, place, effects);
    const own = uncounted.get(change.address) ?? [];
    const gained =
      described.in === undefined ? [] : effectsOn(keyOf(change, described.in), described.service, gains);
    return {
      ...described,
      access: [...described.access, ...own.map(notCountedText).map(redact)],
      ...(gained.length > 0 && { gains: gained }),
      ...(reverts.has(change.address) && { is_revert: true as const }),
    };
  });
}

/** Returns an object of a plan in the form that approval files contain, even if the object does not change. */
export function describe(
  change: ResourceChange,
  { stack, serviceOf }: PlanPlace,
  effects: ReadonlyMap<string, readonly string[]> = new Map(),
): ApprovedChange {
  const { address, before, beforeSensitive, after, afterSensitive } = change;
  const service = serviceOf(change);
  const container = containerOf(change);
  const key = container && containerKey(container);
  const encoding: Encoding = {
    isSorted: true,
    markOf: (value, attribute) => hashOf(value, `${service}\n${address}\n${attribute}`),
  };
  return {
    service,
    stack: stack ?? null,
    ...(key !== undefined && { in: key }),
    id: shownId(before, beforeSensitive) ?? shownId(after, afterSensitive) ?? null,
    ...recordOf(change, encoding, { hidden: hiddenPaths }),
    ...(isKeptOnService(change) && { stays_on_service: true as const }),
    access: key === undefined ? [] : effectsOn(keyOf(change, key), service, effects),
  };
}

const containerKey = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  `${kind} ${name}`;

/**
 * Returns the name of an object within its project, such as the name of an environment. If an object has no name, access to the
 * object counts as access to its project.
 */
const nameOf = ({ before, after }: ResourceChange): Value | undefined => (after ?? before)?.["name"];

const keyOf = (change: ResourceChange, container: string): string => `${container}\n${nameOf(change) ?? ""}`;

const effectKey = (place: string, service: string | undefined): string => `${service ?? ""}\n${place}`;

/**
 * Returns the effects on access to one project or group of a service, or to an object in this project or group. An effect
 * counts for every service if it names no service, as in a plan in JSON.
 */
const effectsOn = <Effect>(
  place: string,
  service: string,
  effects: ReadonlyMap<string, readonly Effect[]>,
): Effect[] => [
  ...(effects.get(effectKey(place, service)) ?? effects.get(effectKey(place, undefined)) ?? []),
];

/**
 * Returns the access changes as texts for people. The key of the map names the service, the project or group, and the object
 * in it.
 */
function effectsByContainer(places: readonly AccessPlace[], redact: (text: string) => string) {
  const found = new Map<string, string[]>();
  for (const place of places) {
    const { text, not_counted: notCounted } = describePlace(place);
    const key = effectKey(`${containerKey(place.container)}\n${place.target?.name ?? ""}`, place.service);
    found.set(key, [...(found.get(key) ?? []), ...[text, ...notCounted.map(notCountedText)].map(redact)]);
  }
  return found;
}

/** Returns the people who gain access. The key of the map names the service, the project or group, and the object in it. */
function gainsByContainer(places: readonly AccessPlace[], redact: (text: string) => string) {
  const found = new Map<string, Gain[]>();
  for (const place of places) {
    const target = place.target === undefined ? "" : `${place.target.kind} ${place.target.name}: `;
    const gains = Object.entries(describePlace(place).gains).flatMap(([ability, names]) =>
      names.length === 0 ? [] : [{ what: `${target}${ability}`, who: names.map(redact).sort() }],
    );
    const key = effectKey(`${containerKey(place.container)}\n${place.target?.name ?? ""}`, place.service);
    found.set(key, [...(found.get(key) ?? []), ...gains]);
  }
  return found;
}

/**
 * Returns the sensitive values of all changes. Texts about access must not contain these values, because names of people can
 * be sensitive.
 */
function secretsOf(changes: readonly ResourceChange[]): SensitiveTexts {
  const secrets = new SensitiveTexts();
  for (const { before, beforeSensitive, after, afterSensitive } of changes)
    for (const [values, paths] of [[before, beforeSensitive] as const, [after, afterSensitive] as const])
      for (const path of paths)
        secrets.add(path.reduce<unknown>((at, step) => Object(at)[step], values ?? undefined));
  return secrets;
}

/**
 * Returns a hash of a sensitive value. The salt depends only on the place of the value, so an unchanged value has the same hash
 * in a later plan. Scrypt is slow, so guessing the value is costly.
 */
function hashOf(value: Value, place: string): string {
  const salt = createHash("sha256").update(place).digest();
  return scryptSync(canonicalJson(value), salt, 32).toString("base64");
}

/** Returns the addresses of the changes that only revert a manual change. */
function revertsOf({ changes, drift }: Plan): string[] {
  const drifted = new Map(drift.map((change) => [change.address, change]));
  return changes
    .filter((change) => {
      const found = drifted.get(change.address);
      return isPlanned(change) && found !== undefined && isOnlyRevert(change, found);
    })
    .map(({ address }) => address);
}

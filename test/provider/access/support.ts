import { hasErrors } from "../../../src/diagnostics";
import type { AccessPlace, AccessReport, AccessRequest, StoredState } from "../../../src/framework";
import type { ValueObject } from "../../../src/schema";
import { withNulls } from "../support/host";
import type { World } from "../support/world";

/**
 * A change of one object. `given` is its declaration, or null to destroy it. `id` is the id of a live object, which is
 * imported first.
 */
export interface Change {
  readonly type: string;
  readonly given: ValueObject | null;
  readonly id?: string;
}

/** Plans changes, and describes how they change access. */
export async function describeChanges(
  world: World,
  changes: readonly Change[],
  token?: string,
): Promise<AccessReport> {
  return world.connect(token).describeAccess!(await requestsOf(world, changes, token));
}

/**
 * Returns the requests with which an engine asks the provider to describe changes. Each change is planned in a separate
 * run.
 */
export const requestsOf = (
  world: World,
  changes: readonly Change[],
  token?: string,
): Promise<AccessRequest[]> => Promise.all(changes.map((change) => request(world, change, token)));

async function request(world: World, { type, given, id }: Change, token?: string): Promise<AccessRequest> {
  const run = world.connect(token);
  const full = `steward_${type}`;
  const address = `${full}.one`;
  let prior: StoredState | undefined;
  if (id !== undefined) {
    const imported = await run.importResource({ type: full, id });
    expect(imported.diagnostics).toEqual([]);
    prior = imported.state;
  }
  if (given === null) return { type: full, address, prior, planned: undefined, config: undefined };
  const config = withNulls(world.provider.schema.resources[full]!.attributes, given);
  const { planned, diagnostics } = await run.planResource({ type: full, address, prior, config });
  expect(diagnostics.filter((one) => hasErrors([one]))).toEqual([]);
  return { type: full, address, prior, planned, config };
}

/** Returns the lines about a place in a short form: `deploy +ada -ben`, `approvals 2 -> 1`, `not counted: group x`. */
function told({ abilities, rules, notCounted }: AccessPlace): string[] {
  const of = (sign: string, holders: readonly { name: string; note?: string }[]) =>
    holders.map(({ name, note }) => `${sign}${name}${note === undefined ? "" : ` (${note})`}`);
  return [
    ...abilities.flatMap(({ name, gains, loses }) => {
      const changes = [...of("+", gains), ...of("-", loses)];
      return changes.length === 0 ? [] : [`${name} ${changes.join(" ")}`];
    }),
    ...rules.map(({ name, before, after }) => `${name} ${before} -> ${after}`),
    ...notCounted.map(({ what, why }) => `not counted: ${what}: ${why}`),
  ];
}

/** Returns the lines of a report, by the name of the place that they are about. */
export const byPlace = ({ places }: AccessReport): Record<string, string[]> =>
  Object.fromEntries(
    places.map((place) => {
      const { container, target } = place;
      return [target === undefined ? container.name : `${container.name} ${target.name}`, told(place)];
    }),
  );

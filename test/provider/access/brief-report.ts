import type { AccessPlace, AccessReport, AccessRequest, ConfiguredProvider } from "../../../src/framework";
import type { World } from "../support/world";

/** The maximum number of additional requests for each project or group with changes. */
const MAX_READS = 2;

/**
 * Returns the name of a place. A project has several places without a target, such as its members and its job tokens,
 * so the name contains the abilities.
 */
const nameOf = ({ container, target, abilities }: AccessPlace): string =>
  [container.kind, container.name, target?.kind, target?.name, target ? "" : abilities[0]?.name].join(" ");

/** Returns the people who gain or lose access in a place, and the rules that change. */
const effectOf = ({ abilities, rules }: AccessPlace) => ({
  abilities: abilities
    .filter(({ gains, loses }) => gains.length + loses.length > 0)
    .map(({ name, gains, loses }) => ({ name, gains, loses })),
  rules,
});

/**
 * Describes changes with few requests, in the run that planned them. Expects at most two requests for each project or
 * group. If the report counts everything, expects the same effect as in the full report, and no missing place.
 * @param containers the number of projects and groups with changes
 * @returns the report, and the number of requests
 */
export async function expectBriefPart(
  { service }: Pick<World, "service">,
  run: ConfiguredProvider,
  requests: readonly AccessRequest[],
  full: AccessReport,
  containers: number,
): Promise<{ readonly brief: AccessReport; readonly sent: number }> {
  const before = service.requests.all.length;
  const brief = await run.describeAccess!(requests, { maxReads: MAX_READS });
  const sent = service.requests.all.slice(before).map(({ method, url }) => `${method} ${url}`);
  if (sent.length > MAX_READS * containers)
    throw new Error(`${sent.length} requests for ${containers} places: ${sent.join(", ")}`);
  const isUncounted = ({ container }: AccessPlace) =>
    brief.notCounted.length > 0 ||
    brief.places.some((one) => one.container.name === container.name && one.notCounted.length > 0);
  const byName = new Map(brief.places.map((one) => [nameOf(one), one]));
  for (const place of full.places) {
    const found = byName.get(nameOf(place));
    if (found === undefined) expect([nameOf(place), isUncounted(place)]).toEqual([nameOf(place), true]);
    else if (found.notCounted.length === 0)
      expect([nameOf(place), effectOf(found)]).toEqual([nameOf(place), effectOf(place)]);
  }
  const known = new Set(full.places.map(nameOf));
  for (const place of brief.places)
    if (!known.has(nameOf(place)))
      expect([nameOf(place), place.notCounted.length]).not.toEqual([nameOf(place), 0]);
  return { brief, sent: sent.length };
}

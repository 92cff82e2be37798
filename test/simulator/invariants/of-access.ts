// What plans say about access is what the service gives.
import { contestedIn, type Declaration, declarationsOf } from "../world/app";
import { expectedOf, identityOf } from "../world/objects";
import type { Finding, RunRecord } from "../world/records";
import type { World } from "../world/world";

/** Who the service lets in, by the words of a rule; administrators count nowhere. */
const HOLDERS: Readonly<Record<string, readonly string[]>> = {
  "level:30": ["devon", "iris", "maya"],
  "level:40": ["maya"],
  "level:60": [],
  "user:devon": ["devon"],
  "group:approvers": ["iris", "maya"],
};
const UNPROTECTED = { deploy: HOLDERS["level:30"]!, approve: [] as readonly string[] };

type Ability = keyof typeof UNPROTECTED;

/** Who can do something with an environment of this content; one that is not protected has none. */
function holdersOf(content: string | undefined, ability: Ability): string {
  if (content === undefined) return UNPROTECTED[ability].join(" ");
  const [, deploy, approve] = /^deploy (.*); approve (.*)$/.exec(content)!;
  const rules = (ability === "deploy" ? deploy! : approve!.replace(/x\d+/g, "")).split(" ");
  return [...new Set(rules.flatMap((rule) => HOLDERS[rule] ?? []))].sort().join(" ");
}

const namesOf = (holders: readonly { readonly name: string }[]): string =>
  holders
    .map(({ name }) => name)
    .sort()
    .join(" ");

/** Access reports equal the service when nobody else writes meanwhile. */
export function accessReportsAreTrue(_: World, record: RunRecord): Finding {
  const { outcome, isDisturbed, app, liveBefore } = record;
  if (outcome === undefined || isDisturbed || record.run.describes !== true) return undefined;
  const declared = new Map(declarationsOf(app).map((one): [string, Declaration] => [identityOf(one), one]));
  const contested = contestedIn(app);
  for (const { plan } of outcome.plans) {
    if (!plan.complete || plan.access === undefined) continue;
    for (const { container, target, abilities } of plan.access.places) {
      if (target?.kind !== "environment") continue;
      const identity = `environment ${container.name.replace("acme/", "")} ${target.name}`;
      if (contested.has(identity)) continue;
      const live = liveBefore.get(identity);
      const wanted = declared.get(identity);
      const isGoing = plan.changes.some(
        ({ action, before }) => action === "delete" && before?.["name"] === target.name,
      );
      const after = wanted !== undefined ? expectedOf(wanted) : isGoing ? undefined : live;
      for (const { name, before: told, after: promised } of abilities) {
        if (name !== "deploy" && name !== "approve") continue;
        const [is, will] = [holdersOf(live, name), holdersOf(after, name)];
        if (namesOf(told) !== is || namesOf(promised) !== will)
          return {
            what: `${name} in ${identity}: told ${namesOf(told)} -> ${namesOf(promised)}, true ${is} -> ${will}`,
            identity,
          };
      }
    }
  }
  return undefined;
}

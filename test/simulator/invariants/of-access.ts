// Rules for reports about access: the reports of plans must agree with the service.
import { accessEntries, basisEntries, mergeAccess } from "../../../src/cli/document/access";
import { accessHeadline, notCountedText } from "../../../src/cli/document/access-entry";
import type { Plan } from "../../../src/engine";
import { type App, contestedIn, type Declaration, declarationsOf } from "../world/app";
import { PROJECTS } from "../world/company";
import { identityOfState } from "../world/held";
import { entriesOf, expectedOf, identityOf, kindOf, TYPES } from "../world/objects";
import { about, type Finding, type RunRecord } from "../world/records";
import type { World } from "../world/world";

/**
 * The people who get access from a rule of an environment. The rules have the form of `live.ts`. Administrators are not
 * counted.
 */
const HOLDERS: Readonly<Record<string, readonly string[]>> = {
  "level:30": ["devon", "iris", "maya", "nils"],
  "level:40": ["maya", "nils"],
  "level:60": [],
  "user:devon": ["devon"],
  "group:approvers": ["iris", "maya"],
};
const UNPROTECTED = { deploy: HOLDERS["level:30"]!, approve: [] as readonly string[] };

/**
 * Returns the name of the project to which a name in a report refers. Reports use the path of a project, or its id if
 * the path could not be read.
 */
const projectOf = (name: string): string =>
  Object.entries(PROJECTS).find(([, id]) => String(id) === name)?.[0] ?? name.replace("acme/", "");

type Ability = keyof typeof UNPROTECTED;

/**
 * Returns the people who have an ability (to deploy or to approve) in an environment with this content. An environment
 * without content is not protected.
 */
function holdersOf(content: string | undefined, ability: Ability, invited: readonly string[] = []): string {
  if (content === undefined) return UNPROTECTED[ability].join(" ");
  const [, deploy, approve] = /^deploy (.*); approve (.*)$/.exec(content)!;
  const rules = (ability === "deploy" ? deploy! : approve!.replace(/x\d+/g, "")).split(" ");
  const named = rules.flatMap((rule) => HOLDERS[rule] ?? []);
  const more = rules.includes("group:approvers") ? invited : [];
  return [...new Set([...named, ...more])].sort().join(" ");
}

const INVITED = "group_invitation approvers ";

/**
 * Returns the people with a pending invitation to the group `approvers`, at a level that lets them deploy. Rules of
 * environments refer to this group.
 */
const invitedIn = (live: Iterable<readonly [identity: string, content: string]>): string[] =>
  [...live].flatMap(([identity, content]) =>
    identity.startsWith(INVITED) && Number(content.replace("level ", "")) >= 30
      ? [identity.slice(INVITED.length)]
      : [],
  );

const namesOf = (holders: readonly { readonly name: string }[]): string =>
  holders
    .map(({ name }) => name)
    .sort()
    .join(" ");

/**
 * A plan's access report agrees with the access on the service before and after the apply. The rule checks runs during
 * which no other client writes.
 */
export function accessReportsAreTrue({ story }: World, record: RunRecord): Finding {
  const { outcome, isDisturbed, app, liveBefore } = record;
  if (outcome === undefined || isDisturbed || record.run.describes !== true) return undefined;
  const contested = contestedIn(app);
  for (const { stack, plan } of outcome.plans) {
    if (!plan.complete || plan.access === undefined) continue;
    // Takes only the declarations of this stack. `jointAccessReportsAreTrue` checks the access that several stacks give
    // together.
    const declared = new Map(
      declarationsOf({ stacks: app.stacks.filter(({ name }) => name === stack) }).map(
        (one): [string, Declaration] => [identityOf(one), one],
      ),
    );
    for (const { container, target, abilities, notCounted } of plan.access.places) {
      if (target?.kind !== "environment") continue;
      // If the run could not read a value, the report may say that some access is not counted.
      const mayFail =
        record.run.network !== undefined || record.run.isMaintainer || story.habits !== undefined;
      if (notCounted.length > 0 && mayFail) continue;
      const identity = `environment ${projectOf(container.name)} ${target.name}`;
      if (contested.has(identity)) continue;
      const live = liveBefore.get(identity);
      const wanted = declared.get(identity);
      const isGoing = plan.changes.some(
        ({ action, type, before }) =>
          /^delete|delete$/.test(action) && before !== null && identityOfState(type, before) === identity,
      );
      const left = isGoing ? undefined : live;
      const after = wanted === undefined ? left : expectedOf(wanted);
      for (const { name, before: told, after: promised } of abilities) {
        if (name !== "deploy" && name !== "approve") continue;
        const [is, will] = [holdersOf(live, name), holdersOf(after, name)];
        if (namesOf(told) !== is || namesOf(promised) !== will)
          return about(
            identity,
            `${name} in ${identity}: told ${namesOf(told)} -> ${namesOf(promised)}, true ${is} -> ${will}`,
          );
      }
    }
  }
  return undefined;
}

/**
 * The common access report of all stacks equals the access on the service after an apply of each stack. An environment
 * is not checked if the report says that some access is not counted.
 */
export function jointAccessReportsAreTrue({ story }: World, record: RunRecord): Finding {
  const { outcome, isDisturbed, app, liveBefore, run } = record;
  if (outcome === undefined || isDisturbed || run.describes !== true || run.do !== "plan") return undefined;
  if (story.stacks.length < 2 || outcome.plans.length < 2 || contestedIn(app).size > 0) return undefined;
  if (outcome.plans.some(({ plan }) => !plan.complete || plan.access === undefined)) return undefined;
  const liveAfter = new Map(liveBefore);
  for (const { plan } of outcome.plans)
    for (const { action, type, before } of plan.changes)
      if (action.includes("delete") && before !== null) liveAfter.delete(identityOfState(type, before) ?? "");
  for (const one of declarationsOf(app)) liveAfter.set(identityOf(one), expectedOf(one));
  // An invitation lets a person deploy only once it is accepted. So the end of an invitation takes no access away.
  const invited = invitedIn(liveAfter).filter((name) => !invitedIn(liveBefore).includes(name));
  const merged = mergeAccess(
    outcome.plans.flatMap(({ stack, plan }) => accessEntries(plan.access!, stack)),
    outcome.plans.flatMap(({ stack, plan }) => basisEntries(plan.access!.touched ?? [], stack)),
  );
  for (const { project, environment, gains, loses, not_counted } of merged) {
    if (typeof environment !== "string" || not_counted.length > 0) continue;
    const identity = `environment ${projectOf(String(project))} ${environment}`;
    const is = holdersOf(liveBefore.get(identity), "deploy").split(" ");
    const will = holdersOf(liveAfter.get(identity), "deploy", invited).split(" ");
    const told = [gains, loses].map((names) => [...(names["deploy"] ?? [])].sort().join(" "));
    const truth = [
      will.filter((name) => name !== "" && !is.includes(name)).join(" "),
      is.filter((name) => name !== "" && !will.includes(name)).join(" "),
    ];
    if (told.join() !== truth.join())
      return about(
        identity,
        `deploy in ${identity}, all stacks together: told +${told[0]} -${told[1]}, true +${truth[0]} -${truth[1]}`,
      );
  }
  return undefined;
}

/** If the resource type of a change does not declare its access, the report says that the change is not counted. */
export function unknownAccessIsNotCounted({ story }: World, { outcome, run }: RunRecord): Finding {
  const { uncounted } = story;
  if (uncounted === undefined || run.do !== "plan" || run.describes !== true) return undefined;
  for (const { stack, plan } of outcome?.plans ?? []) {
    const [change] = plan.changes.filter(
      ({ type, action }) => type === TYPES[uncounted] && action !== "no-op" && action !== "forget",
    );
    if (change === undefined || plan.access === undefined) continue;
    const report = mergeAccess(accessEntries(plan.access, stack));
    const texts = [...report.flatMap((one) => one.not_counted.map(notCountedText))];
    const text = `not counted: ${change.address} (its type does not declare which access it grants)`;
    const total = accessHeadline(report, true);
    if (!texts.includes(text) || !/not (everything is )?counted/.test(total))
      return `${change.address} grants what is not known, and the report says ${total} ${texts.join()}`;
  }
  return undefined;
}

/** The report about job token access agrees with the service's lists, before and after the apply. */
export function jobTokenReportsAreTrue(_: World, record: RunRecord): Finding {
  const { outcome, isDisturbed, app, liveBefore } = record;
  if (outcome === undefined || isDisturbed || record.run.describes !== true || record.run.do !== "plan")
    return undefined;
  for (const { stack, plan } of outcome.plans) {
    if (!plan.complete || plan.access === undefined) continue;
    for (const { container, abilities } of plan.access.places) {
      const at = projectOf(container.name);
      const told = abilities.find(({ name }) => name === "use_job_tokens");
      if (told === undefined || ownersOf(app, at).some((owner) => owner !== stack)) continue;
      if (contestedIn(app).has(`list ${at} `)) continue;
      const before = [liveBefore.get(`scope ${at} `), entriesNow(record, at)] as const;
      const after = [scopeAfter(record, at), entriesAfter(record, stack, at)] as const;
      const [is, will] = [before, after].map(([scope, entries]) => textOf(scope, entries));
      const [says, promises] = [told.before, told.after].map((holders) =>
        namesOf(holders.map(({ name }) => ({ name: name.replace("acme/", "") }))),
      );
      if (says !== is || promises !== will)
        return about(
          `list ${at} `,
          `job tokens in ${at}: told ${says} -> ${promises}, true ${is} -> ${will}`,
        );
    }
  }
  return undefined;
}

const textOf = (scope: string | undefined, entries: readonly string[]): string =>
  scope === "on" ? [...entries].sort().join(" ") : "every project";

/** Returns the stacks that declare a project's job token scope, or entries of its list. */
const ownersOf = (app: App, at: string): string[] =>
  app.stacks
    .filter(({ declarations }) => declarations.some((one) => one.at === at && isOfJobTokens(one)))
    .map(({ name }) => name);

const isOfJobTokens = ({ kind }: Declaration): boolean =>
  kind === "scope" || kind === "list" || kind === "entry" || kind === "group_entry";

const declaredAt = ({ app }: RunRecord, at: string): Declaration[] =>
  declarationsOf(app).filter((one) => one.at === at && isOfJobTokens(one));

function scopeAfter(record: RunRecord, at: string): string | undefined {
  const scope = declaredAt(record, at).find(({ kind }) => kind === "scope");
  return scope === undefined ? record.liveBefore.get(`scope ${at} `) : expectedOf(scope);
}

const entriesNow = ({ liveBefore }: RunRecord, at: string): string[] =>
  (liveBefore.get(`list ${at} `) ?? "").split(" ").filter((name) => name !== "");

function entriesAfter(record: RunRecord, stack: string, at: string): string[] {
  const declared = declaredAt(record, at);
  const list = declared.find(({ kind }) => kind === "list");
  if (list !== undefined) {
    const { projects, groups } = entriesOf(list);
    return [...projects, ...groups];
  }
  // Uses the state after the run. This state contains the changes of an interrupted earlier run, which this run
  // recovered before it planned.
  const held = [...(record.heldAfter.get(stack)?.values() ?? [])];
  const dropped = new Set(
    held
      .map((identity) => identity.split(" "))
      .flatMap(([kind, where, key]) =>
        where === at && (kind === "entry" || kind === "group_entry") ? [key!] : [],
      ),
  );
  const kept = held.includes(`list ${at} `)
    ? []
    : entriesNow(record, at).filter((name) => !dropped.has(name));
  const entries = declared.filter(({ kind }) => kind !== "scope").map(({ key }) => key);
  return [...new Set([...kept, ...entries])];
}

/** The kinds of objects for which the maintainer's role in every project is enough, without a role in a group. */
const MAY_MAINTAIN: readonly string[] = ["scope", "entry", "environment", "rule", "invitation"];

/**
 * A plan reports missing rights if a change needs more than the role of the runner, and otherwise reports none. If no
 * right is missing, the service does not refuse the apply that follows.
 */
export function rightsReportsAreTrue(world: World, record: RunRecord): Finding {
  const { outcome, run } = record;
  if (outcome === undefined || run.isMaintainer !== true || run.network !== undefined) return undefined;
  if (run.do === "plan") {
    for (const { stack, plan } of outcome.plans) {
      const kinds = changedKinds(plan.changes);
      const missing = plan.rights?.rights.filter(({ has }) => has === false) ?? [];
      const [first] = missing;
      if (first !== undefined && kinds.every((kind) => MAY_MAINTAIN.includes(kind)))
        return `plan of ${stack} misses ${first.name} for ${kinds.join(", ")}`;
      if (
        plan.rights !== undefined &&
        missing.length === 0 &&
        kinds.some((kind) => NEEDS_MORE.includes(kind))
      )
        return `plan of ${stack} misses no right for ${kinds.join(", ")}`;
    }
    return undefined;
  }
  const before = world.runs[world.runs.indexOf(record) - 1];
  if (run.do !== "apply" || before?.run.do !== "plan" || before.run.isMaintainer !== true) return undefined;
  if (before.app !== record.app || record.isDisturbed || before.liveAfter !== record.liveBefore)
    return undefined;
  const isAllowed = before.outcome?.plans.every(({ plan }) =>
    plan.rights?.rights.every(({ has }) => has === true),
  );
  const refused = outcome.diagnostics.find(({ code }) => REFUSALS.includes(code));
  return isAllowed && refused ? `no right is missing, and ${refused.code}: ${refused.detail}` : undefined;
}

const NEEDS_MORE: readonly string[] = ["pages", "group_invitation"];
const REFUSALS: readonly string[] = ["forbidden", "insufficient_role", "insufficient_scope"];

const changedKinds = (changes: Plan["changes"]): string[] =>
  changes
    .filter(({ action, mode, type }) =>
      // A delete of Pages settings leaves them on the service, so it needs no right.
      action === "delete" ? kindOf(type) !== "pages" : action !== "no-op" && mode === "managed",
    )
    .map(({ type }) => kindOf(type) ?? type);

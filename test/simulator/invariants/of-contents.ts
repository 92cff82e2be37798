// Rules for the objects in states and journals, and for their owners.

import type { Exchange } from "../network/network";
import { PROJECTS, type ProjectName } from "../world/company";
import { findByName } from "../world/edit";
import { readContents } from "../world/held";
import { identityOf } from "../world/objects";
import { about, type Finding, type RunRecord } from "../world/records";
import type { World } from "../world/world";
import { keepsEntries } from "./kept-entries";
import { declaredIdentities } from "./of-requests";

type Rule = (world: World, record: RunRecord) => Finding;

const WRITES = ["apply", "apply saved", "repair"];

/** After a successful run, the state has the live values of each declared object. */
export const whatIsHeldIsTrue: Rule = (world, { outcome, run, app, isDisturbed, liveAfter, heldAfter }) => {
  if (outcome?.succeeded !== true || isDisturbed || !WRITES.includes(run.do)) return undefined;
  const declared = declaredIdentities(app);
  for (const { stack, isApplied } of outcome.plans) {
    if (!isApplied || !heldAfter.has(stack)) continue;
    for (const [identity, content] of readContents(world.states.textOf(stack)))
      if (declared.has(identity) && liveAfter.get(identity) !== content && !keepsEntries(outcome, identity))
        return about(
          identity,
          `the state of ${stack} has ${identity} as ${content}, and it is ${liveAfter.get(identity)}`,
        );
  }
  return undefined;
};

/** The maximum time in milliseconds from a response until the journal contains the change. */
const RECORDED_WITHIN = 150;

/** If a run dies, each change that the service acknowledged before is in the state, or in the journal as done. */
export const whatIsAnsweredIsRecorded: Rule = (world, { process, outcome, run, written }) => {
  const { killedAt } = process;
  if (outcome !== undefined || killedAt === undefined || run.disk !== undefined) return undefined;
  if (world.story.host === "terraform" || world.story.keeping === "service") return undefined;
  const lost = written.find(
    ({ identity, before, after, exchange }) =>
      before === undefined &&
      after !== undefined &&
      /^(environment|rule) /.test(identity) &&
      exchange.isAnswered &&
      exchange.fault === undefined &&
      killedAt > exchange.answeredAt + RECORDED_WITHIN &&
      !isReadAgain(world, exchange) &&
      world.made.has(identity) &&
      !world.states.holds(identity),
  );
  return (
    lost &&
    about(
      lost.identity,
      `${lost.identity} was answered long before the run died, and no journal says that it is done`,
    )
  );
};

/**
 * Returns true if the run read the object after the write, because the response lacked a declared value. The run then
 * learns the result seconds later, and until then the journal has only the intent.
 */
const isReadAgain = ({ network: { exchanges } }: World, written: Exchange): boolean =>
  exchanges
    .slice(exchanges.indexOf(written) + 1)
    .some(
      ({ process, method, target }) =>
        process === written.process && method === "GET" && target.startsWith(written.target),
    );

/**
 * A run takes over an existing object only if the run imports it, or if another run created it. If this run lost the
 * response to its own create of the same object, the creator is not known.
 */
export const foreignIsNotTaken: Rule = (world, record) => {
  const { outcome, run, process, heldBefore, heldAfter } = record;
  if (outcome === undefined || run.importExisting === true || !WRITES.includes(run.do)) return undefined;
  const before = new Set([...heldBefore.values()].flatMap((held) => [...held.values()]));
  const requests = world.network.exchanges;
  for (const held of heldAfter.values())
    for (const identity of held.values()) {
      if (before.has(identity) || !world.handmade.has(identity) || world.states.hasJournal()) continue;
      if (outcome.plans.some(({ plan }) => plan.changes.some(({ importing }) => importing !== undefined)))
        continue;
      if (world.runs.some((other) => other !== record && asksFor(other, identity))) continue;
      const since = world.madeAfter.get(identity)!;
      const own = requests.filter(
        (one, at) => one.process === process && at >= since && concerns(one, identity),
      );
      const sent = own.findIndex(({ method }) => method === "POST");
      const isRefused = own.some(({ method, status = 0 }) => method === "POST" && status >= 400);
      // The run read the list with the object before it sent its create. So the run saw that another client had created
      // the object.
      const isSeen = sent > 0 && own.slice(0, sent).some(({ fault }) => fault === undefined);
      const isLostBefore = requests
        .slice(0, since)
        .some(
          (one) =>
            one.process === process &&
            one.method === "POST" &&
            one.fault !== undefined &&
            concerns(one, identity),
        );
      if (isSeen || (isRefused && !isLostBefore && own.every(({ fault }) => fault === undefined)))
        return { what: `${identity} was made by somebody else, and is taken over unasked`, identity };
    }
  return undefined;
};

const PLACES: Readonly<Record<string, string>> = {
  environment: "protected_environments",
  rule: "registry/protection/repository/rules",
  invitation: "invitations",
  entry: "job_token_scope/allowlist",
};

/** Returns true if a request uses the list that contains an object. A POST must also contain the name of the object. */
function concerns({ method, target, body = "{}" }: Exchange, identity: string): boolean {
  const [kind, at, key] = identity.split(" ");
  const place = `/projects/${PROJECTS[at as ProjectName]}/${PLACES[kind!] ?? "nowhere"}`;
  if (!target.includes(place)) return false;
  const name = nameOf(kind!, at!, key!);
  return method !== "POST" || Object.values(JSON.parse(body) as object).includes(name);
}

/**
 * Returns the name of an object in the body of a request. The name of an entry is the id of its project; the name of a
 * rule is the path of its repository.
 */
function nameOf(kind: string, at: string, key: string): string | number {
  if (kind === "entry") return PROJECTS[key as ProjectName];
  return kind === "rule" ? `acme/${at}/${key}` : key;
}

/** Returns true if a run imports this object, or takes over every object that exists (`--import-existing`). */
const asksFor = ({ run, app }: RunRecord, identity: string): boolean => {
  if (run.do !== "import") return run.importExisting === true;
  const declared = findByName(app, run.name);
  return declared !== undefined && identityOf(declared) === identity;
};

/** After a successful run, an object that only one state can hold is not in two states. */
export const oneStateHoldsIt: Rule = (_, { outcome, run, isDisturbed, heldAfter }) => {
  if (outcome?.succeeded !== true || isDisturbed || outcome.diagnostics.length > 0) return undefined;
  if (!WRITES.includes(run.do) && !run.do.startsWith("move")) return undefined;
  const seen = new Set<string>();
  for (const held of heldAfter.values())
    for (const identity of new Set(held.values())) {
      if (seen.has(identity) && /^(environment|rule|invitation) /.test(identity))
        return { what: `two states hold ${identity}, and the run says nothing`, identity };
      seen.add(identity);
    }
  return undefined;
};

/** After a successful run, no object has two addresses in a state, unless it had two before. */
export const oneAddressHoldsIt: Rule = (world, { outcome, run, isDisturbed, heldAfter, heldBefore }) => {
  if (outcome?.succeeded !== true || isDisturbed || world.states.hasJournal()) return undefined;
  for (const [stack, held] of heldAfter) {
    const before = [...(heldBefore.get(stack)?.values() ?? [])];
    const all = [...held.values()];
    const twice = all.find(
      (identity, at) =>
        all.indexOf(identity) !== at && before.indexOf(identity) === before.lastIndexOf(identity),
    );
    if (twice !== undefined)
      return { what: `${run.do} leaves ${twice} at two addresses of ${stack}`, identity: twice };
  }
  return undefined;
};

/**
 * A plan shows a move to another address once. The plan does not show a second change that forgets the object at the
 * old address.
 */
export const movesAreShownOnce: Rule = (_, { outcome }) => {
  for (const { plan } of outcome?.plans ?? []) {
    const moves = plan.changes.filter(({ previousAddress }) => previousAddress !== undefined);
    const twice = plan.changes.find(
      (one) =>
        one.action === "forget" &&
        one.sameAs !== undefined &&
        moves.some(
          (other) => other !== one && other.previousAddress === (one.previousAddress ?? one.address),
        ),
    );
    if (twice !== undefined) return `${twice.address} moves to ${twice.sameAs}, and is forgotten too`;
  }
  return undefined;
};

import { Random } from "../time/random";
import { PEOPLE, type Person } from "./company";
import { APPS, type App, appOf, ELSEWHERE, SLOTS, VALUES, type Values } from "./settings";
import { POLICIES, type Policy, type Step, type Story } from "./story";

const AUTHORS: readonly Person[] = ["ana", "ben", "dora", "dora", "stranger"];

/** The people who can approve most changes. */
const SENIORS: readonly Person[] = ["olga", "olga", "ana", "ben"];

function changes({ random, apps, hasRules }: Kit): Values {
  const found: Record<string, string> = {};
  const slots = SLOTS.filter((slot) => apps.includes(appOf(slot)));
  for (let left = random.chance(0.3) ? 2 : 1; left > 0; left -= 1) {
    const slot = random.pick(slots);
    found[slot] = random.pick(VALUES[slot]);
  }
  if (random.chance(0.05)) found["service"] = random.pick([ELSEWHERE, ""]);
  if (hasRules && random.chance(0.4)) found["policy"] = random.pick(POLICIES);
  if (hasRules && random.chance(0.1)) found["owners"] = random.pick(["ana", "mallory"]);
  return found;
}

/**
 * Returns the story of a seed. Most merge requests are opened, planned, approved, merged and applied. Other steps
 * happen between the steps of merge requests.
 */
export function storyOf(seed: number): Story {
  const random = new Random(seed);
  const steps: Step[] = [];
  const policy = random.chance(0.5) ? "none" : random.pick(POLICIES);
  const atLeast = random.chance(0.15) ? 2 : 1;
  const apps = random.chance(0.25) ? APPS : (["shop"] as const);
  const requests = 1 + random.below(3);
  // `hasRules` is rare, because each merge request that changes rules needs an additional job.
  const kit = { random, policy, apps, requests, hasRules: random.chance(0.12) };
  const isWithTwin = random.chance(0.15);
  const waiting = Array.from({ length: requests }, (_, request) =>
    lifeOf(request, kit, isWithTwin && request === 0, isWithTwin && request === 1 ? 0 : undefined),
  );
  const isInTurn = random.chance(0.5);
  const incidents = random.pick([0, 0.1, 0.25]);
  while (waiting.some((life) => life.length > 0)) {
    const open = waiting.filter(({ length }) => length > 0);
    const life = isInTurn ? open[0]! : random.pick(open);
    steps.push(life.shift()!);
    if (random.chance(incidents)) steps.push(...incident(kit));
  }
  if (random.chance(0.4)) steps.push(...incident(kit), jobStep(kit));
  return { seed, policy, atLeast, apps, steps };
}

/** The choices that all steps of one story share. */
interface Kit {
  readonly random: Random;
  readonly policy: Policy;
  readonly apps: readonly App[];
  readonly requests: number;
  /** True if merge requests of the story change policies and owners. */
  readonly hasRules: boolean;
}

/** Returns a person who approves; in most cases, a person who is entitled to approve. */
function approver(policy: Policy, random: Random): Person {
  if (random.chance(0.3)) return random.pick(PEOPLE);
  if (policy === "security") return "security";
  return policy === "robot" && random.chance(0.5) ? "robot" : random.pick(SENIORS);
}

/**
 * Returns the steps of a merge request, from opening it to the apply jobs.
 * @param hasTwin true if the next merge request has the same head commit
 * @param sameHeadAs the merge request with the same head commit as this merge request
 */
function lifeOf(request: number, kit: Kit, hasTwin: boolean, sameHeadAs?: number): Step[] {
  const { random, policy, apps } = kit;
  const how =
    sameHeadAs === undefined
      ? random.weighted({ merge: 4, squash: 4, "fast-forward": 6, "into release": 1 })
      : ("fast-forward" as const);
  const open = { do: "open" as const, by: random.pick(AUTHORS), changes: changes(kit) };
  const approvals = Array.from({ length: 1 + random.below(3) }, (): Step => {
    return { do: "approve", request, by: approver(policy, random) };
  });
  const isDraft = random.chance(0.1);
  return [
    { ...open, ...(sameHeadAs !== undefined && { sameHeadAs }), ...(isDraft && { isDraft }) },
    { do: "pipeline", request },
    ...(isDraft && random.chance(0.8) ? [{ do: "ready" as const, request }] : []),
    ...(random.chance(0.9) ? approvals : []),
    ...(random.chance(hasTwin ? 0.4 : 0.93) ? [{ do: "merge" as const, request, how }] : []),
    ...apps.map((app): Step => ({ do: "job", app, back: 0, ...killed(random) })),
  ];
}

const killed = (random: Random): { readonly killedAt?: number } =>
  random.chance(0.12) ? { killedAt: 1 + random.below(160) } : {};

const jobStep = ({ random, apps }: Kit): Step => ({
  do: "job",
  app: random.pick(apps),
  back: random.chance(0.5) ? 0 : random.below(4),
  ...killed(random),
});

/**
 * Returns steps that happen between the steps of merge requests. After an edit of a comment and after most pushes, a
 * person approves again.
 */
function incident(kit: Kit): readonly Step[] {
  const step = oneIncident(kit);
  if (step.do === "edit comment")
    return [step, { do: "approve", request: step.request, by: approver(kit.policy, kit.random) }];
  if (step.do !== "push" || kit.random.chance(0.3)) return [step];
  const { request } = step;
  const by = approver(kit.policy, kit.random);
  return [
    { ...step, by },
    { do: "pipeline", request },
    { do: "approve", request, by },
  ];
}

function oneIncident(kit: Kit): Step {
  const { random, requests, apps } = kit;
  const request = random.below(requests);
  const by = random.pick(PEOPLE);
  const kind = random.weighted({
    push: 2,
    pipeline: 2,
    tampering: 2,
    approve: 2,
    unapprove: 1,
    edit: 3,
    mark: 1,
    force: 1,
    close: 0.4,
    reopen: 0.6,
    job: 3,
    member: 3,
    hand: 2,
  });
  switch (kind) {
    case "push":
      return { do: "push", request, by, changes: changes(kit) };
    case "pipeline":
      return { do: "pipeline", request };
    case "tampering":
      return {
        do: "pipeline",
        request,
        tampering: random.pick(["fewer approvals", "no changes", "plan of another request"] as const),
      };
    case "approve":
    case "unapprove":
      return { do: kind, request, by };
    case "edit":
      return {
        do: "edit comment",
        request,
        app: random.pick(apps),
        how: random.pick([
          "harmless text",
          "a change left out",
          "text below",
          "comment of another request",
        ] as const),
      };
    case "mark":
      return {
        do: "remove mark",
        request,
        app: random.pick(apps),
        how: random.pick(["delete", "edit"] as const),
      };
    case "force":
      return { do: "push", request, by, changes: changes(kit), isForced: true };
    case "close":
    case "reopen":
      return { do: kind, request };
    case "job":
      return jobStep(kit);
    case "member":
      return {
        do: "member",
        who: by,
        becomes: random.pick(["gone", "guest", "developer", "maintainer", "blocked", "active"] as const),
      };
    case "hand": {
      const slot = random.pick(SLOTS);
      return { do: "hand", slot, value: random.pick(VALUES[slot]) };
    }
  }
}

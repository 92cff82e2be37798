import { didYouMean } from "../diagnostics";
import { wildcard } from "../text";

/**
 * A waiver for some projects and until a day. The waiver accepts violations of a policy rule, or findings of a drift
 * run.
 */
export interface Waiver {
  /** The name of a policy rule. */
  readonly rule?: string | undefined;
  /**
   * The setting whose drift is accepted: an address, or the type and id of an unmanaged object. `*` matches
   * any text here and in `project`.
   */
  readonly setting?: string | undefined;
  /**
   * The accepted attribute of the setting, by its name in the schema. If omitted, the waiver covers the whole
   * object.
   */
  readonly attribute?: string | undefined;
  /** The accepted kind of finding. If omitted, the waiver covers all kinds. */
  readonly kind?: "changed" | "vanished" | "unmanaged" | "unlisted" | "unchecked" | undefined;
  /** The full path of the project or group. In a pattern, `*` matches any text: `acme/sandbox-*`. */
  readonly project: string;
  readonly reason: string;
  /** The person or team that is responsible for the waiver. */
  readonly owner: string;
  /** The first day on which the waiver no longer applies, as `YYYY-MM-DD` in UTC. */
  readonly until: string;
}

type Parts = { readonly [Key in keyof Waiver]?: Waiver[Key] | undefined };

/**
 * A waiver with its use in one run. The status is `ending` in the waiver's last 14 days, and `unused` if the waiver
 * accepted nothing in this run.
 */
export interface UsedWaiver extends Parts {
  readonly project: string;
  readonly reason: string;
  readonly status: "active" | "ending" | "ended" | "unused";
  /** The number of accepted findings or violations. */
  readonly uses: number;
  /** The accepted findings or violations, as texts for people. */
  readonly accepted?: string[] | undefined;
  /** True if the waiver was given for this run only. */
  readonly forThisRun?: true | undefined;
}

/** The maximum duration of a waiver in days, if the policy sets no maximum. */
export const MAX_WAIVER_DAYS = 365;

const NOTICE_DAYS = 14;
const DAY = 24 * 60 * 60 * 1000;
const KINDS = ["changed", "vanished", "unmanaged", "unlisted", "unchecked"];
const TEXTS = ["rule", "setting", "attribute", "kind", "project", "reason", "owner", "until"];

/** The reason why a waiver can't be used. */
export interface WaiverProblem {
  /** The problem as the end of a sentence that starts with the waiver. */
  readonly text: string;
  /** A sentence that says how to write the waiver correctly. */
  readonly hint?: string | undefined;
  /**
   * The key of the waiver whose value is wrong. The field is undefined if the key is missing, or if the whole waiver is
   * wrong.
   */
  readonly key?: string | undefined;
}

/** Returns the problem and the hint, as the end of a sentence that starts with the waiver. */
export const waiverProblemText = ({ text, hint }: WaiverProblem): string =>
  hint === undefined ? `${text}.` : `${text}. ${hint}`;

/** Returns the first problem of a waiver; undefined for a valid waiver. */
export function waiverProblem(given: unknown, maxDays: number, now: Date): WaiverProblem | undefined {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return { text: "is not an object" };
  const waiver = given as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(waiver).find((key) => !TEXTS.includes(key));
  if (unknown !== undefined) return unknownKey(unknown);
  for (const key of TEXTS.filter((one) => waiver[one] !== undefined || NEEDED.includes(one)))
    if (typeof waiver[key] !== "string" || waiver[key].trim() === "")
      return { text: `needs a text for ${key}`, key };
  if ((waiver["rule"] === undefined) === (waiver["setting"] === undefined))
    return { text: "needs either rule or setting, but not both" };
  if (waiver["rule"] !== undefined && (waiver["attribute"] ?? waiver["kind"]) !== undefined)
    return { text: "has attribute or kind, which are allowed only with setting" };
  return kindProblem(waiver["kind"]) ?? endProblem(String(waiver["until"]), maxDays, now);
}

const unknownKey = (key: string): WaiverProblem => ({
  text: `has the unknown key "${key}"`,
  hint: didYouMean(key, TEXTS, `Its keys are ${TEXTS.join(", ")}.`),
  key,
});

function kindProblem(kind: unknown): WaiverProblem | undefined {
  if (kind === undefined || KINDS.includes(String(kind))) return undefined;
  const hint = didYouMean(String(kind), KINDS, `Kinds are ${KINDS.join(", ")}.`);
  return { text: `has the unknown kind "${String(kind)}"`, hint, key: "kind" };
}

function endProblem(until: string, maxDays: number, now: Date): WaiverProblem | undefined {
  const end = /^\d{4}-\d\d-\d\d$/.test(until) ? Date.parse(until) : Number.NaN;
  if (Number.isNaN(end) || new Date(end).toISOString().slice(0, 10) !== until)
    return { text: `has until "${until}": write a day as YYYY-MM-DD`, key: "until" };
  if (end - now.getTime() <= maxDays * DAY) return undefined;
  return {
    text: `holds until ${until}, and the policy allows ${maxDays} days: until ${dayAfter(now, maxDays)} at most`,
    key: "until",
  };
}

const NEEDED = ["project", "reason", "owner", "until"];

/** Returns the day that is a number of days after a time, as `YYYY-MM-DD` in UTC. */
export const dayAfter = (time: Date, days: number): string =>
  new Date(time.getTime() + days * DAY).toISOString().slice(0, 10);

/**
 * A waiver as the input of a run. A waiver for a single run has no end. Some waivers in an older format have no end.
 */
export type GivenWaiver = Pick<UsedWaiver, "project" | "reason" | "forThisRun"> & Parts;

/** The waivers of a run, each with the findings or violations that it accepted. */
export class Waivers {
  readonly #uses = new Map<GivenWaiver, Set<string>>();

  constructor(
    waivers: readonly GivenWaiver[],
    private readonly now = new Date(),
  ) {
    for (const one of waivers) this.#uses.set(one, new Set());
  }

  get holding(): readonly GivenWaiver[] {
    return [...this.#uses.keys()].filter((one) => this.#left(one) > 0);
  }

  get ended(): readonly GivenWaiver[] {
    return [...this.#uses.keys()].filter((one) => this.#left(one) <= 0);
  }

  /**
   * Returns the waiver that accepts a finding, if any, and records this use of the waiver. A waiver that names
   * projects does not accept a finding whose project is unknown.
   *
   * @param project the full path of the finding's project or group
   * @param finding the parts of the finding's key; findings with equal keys count once
   */
  accept(
    isMatch: (waiver: GivenWaiver) => boolean,
    project: string | undefined,
    finding: readonly (string | undefined)[],
  ): GivenWaiver | undefined {
    const found = this.holding.find((one) => isFor(one, project) && isMatch(one));
    if (found !== undefined)
      this.#uses.get(found)!.add(finding.filter((part) => part !== undefined).join(": "));
    return found;
  }

  list(): readonly UsedWaiver[] {
    return [...this.#uses].map(([waiver, accepted]) => {
      const left = this.#left(waiver);
      const ofUsed = left <= NOTICE_DAYS * DAY ? "ending" : "active";
      const ofCurrent = accepted.size > 0 ? ofUsed : "unused";
      const status = left <= 0 ? "ended" : ofCurrent;
      return {
        ...waiver,
        status,
        uses: accepted.size,
        ...(accepted.size > 0 && { accepted: [...accepted] }),
      };
    });
  }

  #left({ until }: GivenWaiver): number {
    return until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until) - this.now.getTime();
  }
}

/**
 * Merges the waivers of several parts of a run, such as stacks or shards. Each waiver appears once, with everything
 * that it accepted.
 */
export function mergeWaivers(lists: readonly (readonly UsedWaiver[])[]): readonly UsedWaiver[] {
  const merged = new Map<string, UsedWaiver>();
  for (const { status, uses, accepted = [], ...waiver } of lists.flat()) {
    const key = JSON.stringify(Object.entries(waiver).sort(([one], [other]) => (one < other ? -1 : 1)));
    const before = merged.get(key);
    const all = [...(before?.accepted ?? []), ...accepted];
    merged.set(key, {
      ...waiver,
      ...(all.length > 0 && { accepted: all }),
      status: before === undefined || before.status === "unused" ? status : before.status,
      uses: uses + (before?.uses ?? 0),
    });
  }
  return [...merged.values()];
}

const isFor = ({ project }: { readonly project: string }, path: string | undefined): boolean =>
  project === "*" || (path !== undefined && wildcard(project, { ignoresCase: true }).test(path));

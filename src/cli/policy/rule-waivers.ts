import { type Diagnostic, fail, nearest, warning } from "../../diagnostics";
import type { Stack } from "../../engine";
import { type GivenWaiver, mergeWaivers, type UsedWaiver, Waivers } from "../../provider";
import type { Rule } from "./rule";

type SynthesizedStack = Pick<Stack, "configuration">;

/** The variable by which an app learns of a rule that is waived for a run. */
const VARIABLE = "STEWARD_WAIVE";

/** One rule that is waived for a run. */
interface WaivedRule {
  readonly rule: string;
  readonly reason: string;
}

/** The waivers of policy rules in a run: those of policy modules and files, that of the command line, and the app's own. */
export class RuleWaivers {
  readonly #waivers: Waivers;
  readonly #waive: WaivedRule | undefined;
  #ofApp: readonly UsedWaiver[] = [];

  constructor(listed: readonly GivenWaiver[] = [], waive?: WaivedRule) {
    const forRun: readonly GivenWaiver[] =
      waive === undefined ? [] : [{ ...waive, project: "*", forThisRun: true }];
    this.#waivers = new Waivers([...listed, ...forRun]);
    this.#waive = waive;
  }

  /** For an app whose own policies have the rule. */
  get environment(): Readonly<Record<string, string>> {
    return this.#waive === undefined ? {} : { [VARIABLE]: JSON.stringify(this.#waive) };
  }

  /**
   * Takes note of what the policies of an app waived at its synthesis.
   *
   * @throws DiagnosticError `waiver_refused` for a rule that can't be waived for a run
   */
  take(rules: readonly Rule[], stacks: readonly SynthesizedStack[]): void {
    this.#ofApp = mergeWaivers(stacks.map(waiversOf));
    if (this.#waive === undefined) return;
    const { rule: name } = this.#waive;
    const found = rules.filter((rule) => rule.name === name);
    if (found.some(({ waivable }) => waivable === false)) refused(name, "says that it can't be waived");
    if (found.length === 0 && !this.#ofApp.some(({ rule, forThisRun }) => forThisRun && rule === name))
      refused(name, "is in no policy of this run");
  }

  /** Whether a violation is accepted. */
  accepts(rule: Rule, project: string | undefined, finding: readonly (string | undefined)[]): boolean {
    return this.#waivers.accept((one) => one.rule === rule.name, project, finding) !== undefined;
  }

  /** About waivers whose rule is none of these, and none that the app waived. */
  unknown(rules: readonly Rule[]): readonly Diagnostic[] {
    const known = new Set([...rules.map(({ name }) => name), ...this.#ofApp.map(({ rule }) => rule)]);
    const names = this.#waivers.list().flatMap(({ rule, forThisRun }) => (forThisRun ? [] : (rule ?? [])));
    return [...new Set(names)].filter((name) => !known.has(name)).map((name) => unknownRule(name, rules));
  }

  list(): readonly UsedWaiver[] {
    const own = this.#waivers.list();
    // A list that both the app and a module have counts once: the same violation is found by both.
    const keys = new Set(own.map(keyOf));
    return [...own, ...this.#ofApp.filter((one) => !keys.has(keyOf(one)))];
  }
}

const keyOf = ({ rule, project, reason, until }: UsedWaiver): string =>
  JSON.stringify([rule, project, reason, until]);

function waiversOf({ configuration }: SynthesizedStack): readonly UsedWaiver[] {
  return configuration.files.flatMap(({ json }) => {
    const { waivers } = Object(json["//"]) as { waivers?: readonly UsedWaiver[] };
    return Array.isArray(waivers) ? waivers : [];
  });
}

function unknownRule(name: string, rules: readonly Rule[]): Diagnostic {
  const names = rules.map((rule) => rule.name);
  const near = nearest(name, names);
  const hint = near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`;
  return warning({
    code: "waiver_unmatched",
    summary: "Waiver of an unknown rule",
    detail:
      `A waiver names the rule ${JSON.stringify(name)}, which is in no policy of this run, so it accepts nothing.${hint} ` +
      "Correct the name, or remove the waiver.",
    cause: name,
  });
}

const refused = (rule: string, why: string): never =>
  fail({
    code: "waiver_refused",
    summary: "Rule can't be waived",
    detail: `--waive names the rule ${JSON.stringify(rule)}, which ${why}. Nothing was planned. Correct the name, or fix what the rule finds.`,
  });

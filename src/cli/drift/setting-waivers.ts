import { type Diagnostic, warning } from "../../diagnostics";
import type { Attributes } from "../../engine";
import { type GivenWaiver, type UsedWaiver, Waivers, wildcard } from "../../provider";
import { containerOf, placeOfUndeclared } from "../printing/place";
import { type Finding, nameOf } from "./finding";
import { readWaivers } from "./waiver-file";

type SettingWaiver = GivenWaiver & { readonly setting: string };

/** The findings that a drift run passes over, each with a reason. */
export class SettingWaivers {
  readonly #waivers: Waivers;
  readonly #files = new Map<GivenWaiver, string>();
  readonly #old = new Set<GivenWaiver>();
  readonly #patterns: ReadonlyMap<GivenWaiver, RegExp>;
  readonly #met = new Set<GivenWaiver>();
  /** About entries that have ended, or whose format is older. */
  readonly warnings: readonly Diagnostic[];

  private constructor(files: readonly string[], folder: string, now: Date) {
    const read = files.map((file) => ({ file, ...readWaivers(file, folder, now) }));
    for (const { file, waivers, old } of read) {
      for (const one of waivers) this.#files.set(one, file);
      for (const one of old) this.#old.add(one);
    }
    const ofSettings = [...this.#files.keys()].filter(
      (one): one is SettingWaiver => one.setting !== undefined,
    );
    this.#waivers = new Waivers(ofSettings, now);
    this.#patterns = new Map(ofSettings.map((one) => [one, wildcard(one.setting)]));
    this.warnings = [
      ...read.flatMap(({ warnings }) => warnings),
      ...this.#waivers.ended.map((one) => (this.#old.has(one) ? expired : ended)(this.#files.get(one)!, one)),
    ];
  }

  /** @throws DiagnosticError `invalid_ignore_file` */
  static read(files: readonly string[], folder: string, now = new Date()): SettingWaivers {
    return new SettingWaivers(files, folder, now);
  }

  /** Records which objects and attributes a run checked, drifted or not. */
  saw(objects: readonly { readonly name: string; readonly attributes: Attributes }[]): void {
    for (const waiver of this.#waivers.holding) {
      const { attribute } = waiver;
      const isMet = ({ name, attributes }: (typeof objects)[number]) =>
        this.#patterns.get(waiver)!.test(name) && (attribute === undefined || attribute in attributes);
      if (!this.#met.has(waiver) && objects.some(isMet)) this.#met.add(waiver);
    }
  }

  /**
   * Warns about entries that match nothing in a whole run, such as misspelled ones. Undeclared objects come
   * and go, so a pattern with `kind: unmanaged` may match nothing for a while.
   */
  unmatched({ coverage }: { readonly coverage: boolean }): readonly Diagnostic[] {
    const mayComeLater = ({ kind, setting = "" }: GivenWaiver) =>
      kind === "unmanaged" ? !coverage || setting.includes("*") : !coverage && setting.includes(" ");
    return this.#waivers.holding
      .filter((one) => !this.#met.has(one) && !mayComeLater(one))
      .map((one) => matchesNothing(this.#files.get(one)!, one, this.#old.has(one)));
  }

  /** What each of them passed over. */
  list(): readonly UsedWaiver[] {
    return this.#waivers.list();
  }

  /** The reason why a whole finding is ignored; undefined if it is not. */
  reasonFor(finding: Finding): string | undefined {
    return this.#reason(finding, undefined);
  }

  /** The reason why one attribute of a changed object is ignored. */
  reasonForAttribute(finding: Finding, attribute: string): string | undefined {
    return this.#reason(finding, attribute);
  }

  #reason(finding: Finding, attribute: string | undefined): string | undefined {
    const name = nameOf(finding);
    const fits = (waiver: GivenWaiver) =>
      waiver.attribute === attribute &&
      (waiver.kind === undefined || waiver.kind === finding.kind) &&
      this.#patterns.get(waiver)!.test(name);
    return this.#waivers.accept(fits, placeIn(finding), [name, attribute])?.reason;
  }
}

/** The path of the finding's project or group. */
function placeIn(finding: Finding): string | undefined {
  if (finding.kind === "unmanaged") {
    const { project, group } = placeOfUndeclared(finding.object);
    return finding.object.isContainer ? finding.object.id : (project ?? group);
  }
  return containerOf(finding.kind === "unchecked" ? finding.unchecked.object : finding.drifted.change)?.name;
}

const named = ({ setting = "", attribute, reason }: GivenWaiver): string =>
  `${setting}${attribute === undefined ? "" : `, attribute ${attribute}`} ("${reason}")`;

const matchesNothing = (file: string, waiver: GivenWaiver, isOld: boolean): Diagnostic =>
  warning({
    code: isOld ? "ignore_unmatched" : "waiver_unmatched",
    summary: isOld ? "Ignore entry matches nothing" : "Waiver matches nothing",
    detail:
      `${JSON.stringify(file)} ignores ${named(waiver)}, and ` +
      "this run found no such object. Correct the entry, or remove it.",
  });

const expired = (file: string, waiver: GivenWaiver): Diagnostic =>
  warning({
    code: "ignore_expired",
    summary: "Ignore entry has expired",
    detail: `${JSON.stringify(file)} ignored ${named(waiver)} until ${waiver.until}. Fix the difference, or extend the date.`,
  });

const ended = (file: string, waiver: GivenWaiver): Diagnostic =>
  warning({
    code: "waiver_ended",
    summary: "Waiver has ended",
    detail: `The waiver of ${named(waiver)} in ${JSON.stringify(file)} ended on ${waiver.until}, so the difference counts again. Fix it, or give the waiver another day.`,
  });

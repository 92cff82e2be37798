import type { Diagnostic } from "../../diagnostics";
import type {
  ApplyResult,
  DriftReport,
  EngineEvent,
  ImportResult,
  Plan,
  PlanMode,
  SkippedObject,
} from "../../engine";
import type { UsedWaiver } from "../../provider";
import { isShown } from "../document/describe";

import type { Suppressed } from "../drift/finding-filter";
import type { Wait } from "../stacks/waits";
import { EqualInStacks } from "./equal-in-stacks";
import type { HumanRunView } from "./human-run-view";
import { mergeAccess, type StackAccess } from "./merge-access";
import { mergeRights, type StackRights } from "./merge-rights";
import type { AppShard, RunView, ToApprove, Unmanaged } from "./run-view";

/**
 * The output for people of a run over several stacks that only reads. It holds the results until the run ends, because only
 * then the equal changes of different stacks are known, which are shown once.
 */
export class MergedRunView implements RunView {
  readonly #view: HumanRunView;
  readonly #equal = new EqualInStacks();
  #isHolding = false;
  #stack = "";
  /** What the plans of all stacks describe together. */
  readonly #access: StackAccess[] = [];
  readonly #rights: StackRights[] = [];
  /** The output so far, in its order. */
  #held: (() => void)[] = [];

  constructor(view: HumanRunView) {
    this.#view = view;
  }

  shard(shard: AppShard): void {
    this.#view.shard(shard);
  }

  stack(name: string | undefined, count: number): void {
    this.#isHolding = name !== undefined && count > 1;
    this.#stack = name ?? "";
    this.#view.workOn(name, count);
    this.#show(() => this.#view.stack(name, count));
  }

  event(event: EngineEvent): void {
    if (event.kind === "warned" && this.#isHolding) this.diagnostics(event.diagnostics);
    else this.#view.event(event);
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#show(() => this.#view.diagnostics(diagnostics));
  }

  plan(plan: Plan): void {
    // The basis and the steps of a plan are large, and nothing shows them.
    const { mode, applicable, complete, drift, outputs, relevantAttributes, checks, diagnostics } = plan;
    const { unchecked, blocked, summary, hasChanges, access, rights, requests } = plan;
    const stack = this.#stack;
    if (this.#isHolding && access) this.#access.push({ stack, access });
    if (this.#isHolding && rights) this.#rights.push({ stack, rights });
    const changes = plan.changes.filter(isShown);
    const shown = {
      ...{ mode, applicable, complete, drift, outputs, relevantAttributes, checks, diagnostics },
      ...{ unchecked, blocked, summary, hasChanges, changes },
      ...(access && !this.#isHolding && { access }),
      ...(rights && !this.#isHolding && { rights }),
      ...(requests && { requests }),
    };
    if (this.#isHolding) this.#equal.addPlan(this.#stack, shown);
    this.#show(() => this.#view.plan(shown, this.#equal));
  }

  drift(report: DriftReport, suppressed: Suppressed): void {
    const { length: checked } = report.objects;
    const { access, ...rest } = report;
    const stack = this.#stack;
    if (this.#isHolding && access) this.#access.push({ stack, access });
    const shown = {
      ...rest,
      ...(access && !this.#isHolding && { access }),
      objects: { length: checked },
      scans: { length: report.scans.length },
    };
    if (this.#isHolding) this.#equal.addDrift(stack, report);
    this.#show(() => this.#view.drift(shown, suppressed, this.#equal));
  }

  unmanaged(found: Unmanaged, suppressed: Suppressed): void {
    this.#show(() => this.#view.unmanaged(found, suppressed));
  }

  saved(file: string, options?: readonly string[]): void {
    this.#describe();
    this.#show(() => this.#view.saved(file, options));
  }

  toApprove(written: ToApprove): void {
    this.#describe();
    this.#show(() => this.#view.toApprove(written));
  }

  applied(mode: PlanMode, result: ApplyResult): void {
    this.#show(() => this.#view.applied(mode, result));
  }

  notRepaired(left: SkippedObject): void {
    this.#show(() => this.#view.notRepaired(left));
  }

  imported(address: string, result: ImportResult): void {
    this.#show(() => this.#view.imported(address, result));
  }

  waivers(all: readonly UsedWaiver[]): void {
    this.#show(() => this.#view.waivers(all));
  }

  async end(): Promise<void> {
    await this.#view.stopProgress();
    this.#describe();
    this.#view.equal(this.#equal);
    for (const show of this.#held.splice(0)) show();
    await this.#view.end();
  }

  requested(): void {
    this.#view.requested();
  }

  waiting(wait: Wait): void {
    this.#view.waiting(wait);
  }

  stopProgress(): Promise<void> {
    return this.#view.stopProgress();
  }

  notice(text: string): void {
    this.#view.notice(text);
  }

  /** Shows what all stacks change or need together. */
  #describe(): void {
    const [access, rights] = [this.#access.splice(0), this.#rights.splice(0)];
    if (access.length > 0) this.#show(() => this.#view.access(mergeAccess(access)));
    if (rights.length > 0) this.#show(() => this.#view.rights(mergeRights(rights)));
  }

  #show(show: () => void): void {
    if (this.#isHolding) this.#held.push(show);
    else show();
  }
}

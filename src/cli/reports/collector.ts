import type { Diagnostic } from "../../diagnostics";
import type {
  ApplyResult,
  CoverageScan,
  DriftReport,
  EngineEvent,
  Plan,
  PlanMode,
  SkippedObject,
} from "../../engine";
import type { UsedWaiver } from "../../provider";
import { compareNatural } from "../../text";
import { changedOutside } from "../difference";
import { describeDiagnostic, describeObject, describeUnmanaged } from "../document/describe";
import { FORMAT_VERSION, type Report, type ReportCommand, type ReportStack } from "../document/model";
import { describeDrift, describePlan } from "../document/stack-parts";
import type { Suppressed } from "../drift/finding-filter";
import { packageVersion } from "../version";
import { accessJson, requestsJson, rightsJson } from "../views/json/access";
import { mergeAccess, type StackAccess } from "../views/merge-access";
import { mergeRights, type StackRights } from "../views/merge-rights";
import type { AppShard, RunView, Unmanaged } from "../views/run-view";
import { waiverJson } from "../views/waivers";
import { StackCollector } from "./stack-collector";

/** Collects the events of a run, as a view does, into the report that every format is written from. */
export class ReportCollector implements RunView {
  readonly #command: ReportCommand;
  readonly #finish: (report: Report) => Promise<void>;
  #limitedTo: Report["limited_to"];
  readonly #now: () => Date;
  readonly #run: NonNullable<Report["run"]>;
  readonly #started: Date;
  readonly #stacks: StackCollector[] = [];
  /** The projects and groups that were searched for undeclared objects. */
  readonly #searched = new Set<string>();
  #hasCoverage = false;
  /** What plans describe on request. */
  readonly #access: StackAccess[] = [];
  readonly #rights: StackRights[] = [];
  #requests: NonNullable<Report["requests"]> | undefined;
  #waivers: NonNullable<Report["waivers"]> = [];

  constructor(
    command: ReportCommand,
    finish: (report: Report) => Promise<void>,
    limitedTo: Report["limited_to"] = undefined,
    now = () => new Date(),
    run: NonNullable<Report["run"]> = {},
  ) {
    this.#run = run;
    this.#command = command;
    this.#limitedTo = limitedTo;
    this.#finish = finish;
    this.#now = now;
    this.#started = now();
  }

  shard({ number, total, ofStacks, divided }: AppShard): void {
    this.#limitedTo = {
      ...this.#limitedTo,
      shard: {
        ...{ number, of: total, of_stacks: ofStacks },
        ...(divided.length > 0 && { divided: [...divided] }),
      },
    };
  }

  stack(name: string | undefined): void {
    this.#stacks.push(new StackCollector(name, this.#command === "apply" || this.#command === "destroy"));
  }

  event(event: EngineEvent): void {
    if (event.kind === "apply_complete") this.#current.setOutcome(event.address, "done");
    if (event.kind === "apply_errored") this.#current.setOutcome(event.address, "failed");
  }

  plan(plan: Plan): void {
    // A drift report lists the findings even when a repair corrects them.
    if (this.#command !== "drift") this.#addPlannedObjects(plan);
    this.#current.unchecked(plan.unchecked);
    const { access, rights, requests } = plan;
    const { name: stack } = this.#current;
    if (access !== undefined) this.#access.push({ stack, access });
    if (rights !== undefined) this.#rights.push({ stack, rights });
    if (requests !== undefined)
      this.#requests = [...(this.#requests ?? []), ...requestsJson(requests, stack)];
    this.diagnostics(plan.diagnostics);
  }

  applied(_mode: PlanMode, { diagnostics, state }: ApplyResult): void {
    this.#current.markApplied(state);
    if (this.#command === "drift") this.#current.repaired();
    this.diagnostics(diagnostics);
  }

  drift(report: DriftReport, suppressed: Suppressed): void {
    const { objects, scans } = report;
    const drift = describeDrift(report, this.#current.name);
    if (report.access !== undefined) this.#access.push({ stack: this.#current.name, access: report.access });
    this.#current.suppressed(suppressed);
    this.#current.unchecked(drift.unchecked);
    for (const { object } of report.unchecked) this.#current.object(describeObject(object, "failed"));
    for (const name of scans.flatMap(searchedIn)) this.#searched.add(name);
    const differing = new Map(drift.objects.map((object) => [object.address, object]));
    for (const object of objects)
      this.#current.object(differing.get(object.address) ?? describeObject(object, "in_sync"));
    this.#current.addFinding(drift.objects.length > 0);
    this.diagnostics(drift.diagnostics);
  }

  notRepaired({ address, reason }: SkippedObject): void {
    this.#current.notRepaired(address, reason);
  }

  unmanaged({ objects }: Unmanaged, suppressed: Suppressed): void {
    this.#hasCoverage = true;
    // A shard without stacks has searched nowhere.
    if (this.#stacks.length === 0) return;
    // Undeclared objects belong to no stack. A run over one stack lists them with that stack.
    const isEmpty = objects.length + suppressed.ignored.length + suppressed.known.length === 0;
    if (this.#stacks.length > 1 && !isEmpty) this.stack("unmanaged");
    this.#current.suppressed(suppressed);
    for (const object of objects) this.#current.object(describeUnmanaged(object));
    this.#current.addFinding(objects.length > 0);
  }

  waivers(all: readonly UsedWaiver[]): void {
    this.#waivers = all.map(waiverJson);
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    // Diagnostics before the first stack belong to the whole run.
    if (this.#stacks.length === 0 && diagnostics.length > 0) this.stack(undefined);
    for (const one of diagnostics) this.#current.diagnostic(describeDiagnostic(one));
  }

  saved(): void {}
  toApprove(): void {}
  requested(): void {}
  waiting(): void {}
  notice(): void {}
  imported(): void {}
  async stopProgress(): Promise<void> {}

  end(): Promise<void> {
    const stacks = this.#stacks.map((stack) => stack.finish());
    return this.#finish({
      format_version: FORMAT_VERSION,
      steward_version: packageVersion(),
      command: this.#command,
      started_at: this.#started.toISOString(),
      finished_at: this.#now().toISOString(),
      ...runOf(
        this.#run,
        stacks.map(({ stack }) => stack),
      ),
      result: resultOf(stacks.map(({ result }) => result)),
      ...(this.#limitedTo !== undefined && { limited_to: this.#limitedTo }),
      ...(this.#hasCoverage && { coverage: [...this.#searched].sort(compareNatural) }),
      stacks: stacks.map(({ stack }): ReportStack => stack),
      ...(this.#access.length > 0 && { access: accessJson(mergeAccess(this.#access)) }),
      ...(this.#rights.length > 0 && { rights: rightsJson(mergeRights(this.#rights)) }),
      ...(this.#requests !== undefined && { requests: this.#requests }),
      ...(this.#waivers.length > 0 && { waivers: this.#waivers }),
    });
  }

  #addPlannedObjects(plan: Plan): void {
    this.#current.addFinding(plan.hasChanges);
    const outside = changedOutside(plan);
    const shown = plan.mode === "refresh-only" ? plan.drift : plan.changes;
    this.#current.planned(describePlan(plan, true), shown, outside);
  }

  get #current(): StackCollector {
    return this.#stacks.at(-1)!;
  }
}

/** Where the run took place, and the services of its objects, by their web pages. */
function runOf(run: NonNullable<Report["run"]>, stacks: readonly ReportStack[]): Pick<Report, "run"> {
  const urls = stacks.flatMap(({ objects }) => objects.flatMap(({ url }) => url ?? []));
  const services = [
    ...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)),
  ].sort();
  const found = { ...run, ...(services.length > 0 && { services }) };
  return Object.keys(found).length === 0 ? {} : { run: found };
}

/** Undeclared objects of archived projects are not listed. */
function searchedIn({ containers, listing }: CoverageScan): string[] {
  const archived = new Set(listing.archived.map(({ kind, id }) => `${kind} ${id}`));
  return containers.filter((name) => !archived.has(name));
}

const resultOf = (results: readonly Report["result"][]): Report["result"] =>
  results.includes("failed") ? "failed" : results.includes("found") ? "found" : "clean";

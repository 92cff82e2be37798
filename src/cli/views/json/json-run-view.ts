import { type Diagnostic, hasErrors } from "../../../diagnostics";
import {
  type ApplyResult,
  changingOf,
  type EngineEvent,
  type ImportResult,
  isShown,
  type PlanMode,
  type SkippedObject,
} from "../../../engine";
import { stringifyJson } from "../../../json";
import { counted } from "../../../text";
import { changedOutside } from "../../difference";
import type { ReportWaiver } from "../../document/model";
import { failedCounts, planCounts } from "../../document/stack-parts";
import type { Suppressed } from "../../drift/finding-filter";
import type { Terminal } from "../../terminal/terminal";
import { Deduplicator } from "../diagnostics";
import { describeEvent, describeShard, describeWait } from "../event-lines";
import type {
  AppShard,
  Described,
  DriftedEvent,
  PlannedEvent,
  Renderer,
  RunEvent,
  ToApprove,
  Unmanaged,
} from "../run-view";
import { waiverLine } from "../waivers";
import { diagnosticEvent, type JsonEvent, jsonEvent, versionEvent } from "./events";
import {
  appliedOutputsEvent,
  driftEvent,
  plannedChangeEvent,
  plannedOutputsEvent,
  resourceDriftEvent,
  uncheckedEvent,
  unmanagedEvent,
} from "./plan-events";
import { resourceOf } from "./resource";

import { type Result, resultEvent, total } from "./results";

/**
 * The Terraform event for an engine event. Undefined for the progress of a phase and for warnings, which are
 * diagnostics.
 */
function engineEventJson(event: EngineEvent): JsonEvent | undefined {
  if (event.kind === "progress" || event.kind === "warned") return undefined;
  const hook = {
    resource: resourceOf(event.address),
    ...("action" in event && { action: event.action }),
    ...("outcome" in event && { outcome: event.outcome }),
    ...("id" in event && event.id !== undefined && { id_key: "id", id_value: event.id }),
    ...("milliseconds" in event && { elapsed_seconds: Math.round(event.milliseconds / 1000) }),
  };
  const level = event.kind === "apply_errored" ? "error" : "info";
  return jsonEvent(event.kind, describeEvent(event), { hook }, level);
}

/** The output for programs: one event per line on stdout, the result last. */
export class JsonRunView implements Renderer {
  readonly #deduplicator = new Deduplicator();
  #stack: string | undefined;
  #stacks = 1;
  readonly #results: Result[] = [];
  /** Whether the stack has an error: its plan's errors make its apply incomplete. */
  #hasFailed = false;
  #hasFailures = false;
  /** The latest result, held back so that it stays the last event. */
  #heldBack: string | undefined;
  /** Whether some result belongs to the whole run. Then the last event is a total. */
  #hasWholeRun = false;
  #whole: Described = {};

  constructor(private readonly terminal: Pick<Terminal, "out">) {
    this.#write(versionEvent());
  }

  on(event: RunEvent) {
    switch (event.kind) {
      case "shard":
        return this.#shard(event.shard);
      case "stack":
        return this.#startStack(event.name, event.count);
      case "engine":
        return this.#engine(event.event);
      case "requested":
        // Requests are counted for people only.
        return;
      case "waiting":
        return this.#write(jsonEvent("waiting", describeWait(event.wait), { waiting: event.wait }));
      case "diagnostics":
        return this.#diagnostics(event.diagnostics);
      case "notice":
        return this.#write(jsonEvent("log", event.text));
      case "planned":
        return this.#plan(event);
      case "saved":
        return this.#writeOfRun(
          jsonEvent("plan_saved", `Saved the plan to ${event.file}`, { plan: { file: event.file } }),
        );
      case "toApprove":
        return this.#toApprove(event.written);
      case "applied":
        return this.#applied(event.mode, event.result);
      case "drifted":
        return this.#drift(event);
      case "notRepaired":
        return this.#notRepaired(event.left);
      case "unmanaged":
        return this.#unmanaged(event.found, event.suppressed);
      case "imported":
        return this.#imported(event.address, event.result);
      case "described":
        this.#whole = event.whole;
        return;
      case "waivers":
        return this.#waivers(event.waivers);
    }
  }

  #shard(shard: AppShard): void {
    const { number, total, stacks, ofStacks } = shard;
    const described = { number, of: total, stacks, of_stacks: ofStacks };
    this.#write(jsonEvent("shard", describeShard(shard), { shard: described }));
  }

  #startStack(name: string | undefined, count: number): void {
    this.#deduplicator.reset();
    this.#stack = name;
    this.#stacks = count;
    this.#hasFailed = false;
  }

  #engine(event: EngineEvent): void {
    if (event.kind === "warned") this.#diagnostics(event.diagnostics);
    const json = engineEventJson(event);
    if (json !== undefined) this.#write(json);
  }

  #diagnostics(diagnostics: readonly Diagnostic[]): void {
    if (hasErrors(diagnostics)) this.#hasFailed = this.#hasFailures = true;
    for (const one of this.#deduplicator.filter(diagnostics)) this.#write(diagnosticEvent(one));
  }

  #plan({ model: plan, described, requests }: PlannedEvent): void {
    const { diagnostics, drift, outputs, unchecked, applicable, hasChanges } = plan;
    this.#diagnostics(diagnostics);
    for (const name of unchecked) this.#write(uncheckedEvent(name));
    for (const change of drift) this.#write(resourceDriftEvent(change));
    const outside = changedOutside(plan);
    for (const change of changingOf(plan))
      if (isShown(change)) this.#write(plannedChangeEvent(change, outside(change)));
    if (!applicable && !hasChanges) return;
    if (outputs.length > 0) this.#write(plannedOutputsEvent(outputs));
    this.#result("plan", planCounts(plan), false, {
      ...described,
      ...(requests !== undefined && { requests }),
    });
  }

  #toApprove({ file, digest, changes }: ToApprove): void {
    const text = `Wrote ${counted(changes, "change")} to approve to ${file}: ${digest}`;
    this.#writeOfRun(jsonEvent("approval_saved", text, { approval: { file, digest, changes } }));
  }

  /** The result stays the last event. */
  #writeOfRun(event: JsonEvent): void {
    this.#stack = undefined;
    this.terminal.out.line(this.#line(event));
  }

  #applied(mode: PlanMode, { diagnostics, state, unchecked, done }: ApplyResult): void {
    this.#diagnostics(diagnostics);
    if (mode !== "destroy" && Object.keys(state.outputs).length > 0)
      this.#write(appliedOutputsEvent(state.outputs));
    const counts = { ...done, ...failedCounts(diagnostics, unchecked) };
    this.#result(mode === "destroy" ? "destroy" : "apply", counts, unchecked.length > 0);
  }

  #drift({ model, described, suppressed }: DriftedEvent): void {
    const { diagnostics, drifted, objects, unchecked } = model;
    this.#diagnostics(diagnostics);
    for (const { object } of unchecked) this.#write(uncheckedEvent(object.address));
    this.#suppressed(suppressed);
    for (const object of drifted) this.#write(driftEvent(object, this.#stack));
    const vanished = drifted.filter(({ kind }) => kind === "vanished").length;
    const counts = {
      checked: objects.length,
      changed: drifted.length - vanished,
      vanished,
      ...failedCounts(
        diagnostics,
        unchecked.map(({ object }) => object.address),
      ),
      ...suppressedCounts(suppressed),
    };
    this.#result("drift", counts, false, described);
  }

  #notRepaired({ address, reason }: SkippedObject): void {
    this.#write(
      jsonEvent("drift_not_repaired", `${address} is not repaired: ${reason}.`, {
        resource: resourceOf(address),
        reason,
      }),
    );
  }

  #unmanaged({ model: objects }: Unmanaged, suppressed: Suppressed): void {
    // Undeclared objects belong to the whole run, not to the last stack.
    if (this.#stacks > 1) this.#stack = undefined;
    this.#suppressed(suppressed);
    for (const object of objects) this.#write(unmanagedEvent(object));
    const counts = { unmanaged: objects.length, ...suppressedCounts(suppressed) };
    this.#results.push({ of: "drift", counts, hasFailed: false });
    this.#hasWholeRun = true;
  }

  #suppressed({ ignored, known }: Suppressed): void {
    for (const { name, reason } of ignored)
      this.#write(jsonEvent("drift_ignored", `${name}: Ignored (${reason})`, { object: name, reason }));
    for (const { fingerprint } of known)
      this.#write(jsonEvent("drift_known", "Known from the earlier run", { fingerprint }));
  }

  #imported(address: string, { id, diagnostics }: ImportResult): void {
    this.#diagnostics(diagnostics);
    if (id === undefined) return;
    const hook = { resource: resourceOf(address), id_key: "id", id_value: id };
    this.#write(jsonEvent("import_complete", `${address}: Import complete [id=${id}]`, { hook }));
  }

  #waivers(all: readonly ReportWaiver[]): void {
    // The result stays the last event.
    for (const one of all)
      this.terminal.out.line(this.#line(jsonEvent("waiver", `Waiver ${waiverLine(one)}`, { waiver: one })));
  }

  async end(): Promise<void> {
    const totalResult =
      this.#stacks > 1 || this.#hasWholeRun
        ? total(this.#results, this.#hasFailures, this.#whole)
        : undefined;
    this.#stack = undefined;
    if (totalResult !== undefined) this.#write(resultEvent(totalResult));
    this.#flush();
  }

  #result(
    of: Result["of"],
    counts: Result["counts"],
    isPartial = false,
    described: Described & Pick<Result, "requests"> = {},
  ): void {
    const hasFailed = isPartial || this.#hasFailed;
    const result = { of, counts, hasFailed, ...described };
    this.#results.push(result);
    this.#flush();
    this.#heldBack = this.#line(resultEvent(result));
  }

  #write(event: JsonEvent): void {
    this.#flush();
    this.terminal.out.line(this.#line(event));
  }

  #flush(): void {
    if (this.#heldBack !== undefined) this.terminal.out.line(this.#heldBack);
    this.#heldBack = undefined;
  }

  #line({ type, ...rest }: JsonEvent): string {
    const line = { ...rest, ...(this.#stack !== undefined && { stack: this.#stack }), type };
    return stringifyJson(line);
  }
}

const suppressedCounts = ({ ignored, known }: Suppressed) => ({
  ...(ignored.length > 0 && { ignored: ignored.length }),
  ...(known.length > 0 && { known: known.length }),
});

import { type Diagnostic, hasErrors } from "../../../diagnostics";
import { changingOf, type EngineEvent, isShown } from "../../../engine";
import { stringifyJson } from "../../../json";
import { counted } from "../../../text";
import { changedOutside } from "../../difference";
import { type Counts, failedCounts, sumOf } from "../../document/counts";
import { planCounts } from "../../document/describe";
import { type Suppressed, suppressedSentence } from "../../findings/finding";
import type { Terminal } from "../../terminal/terminal";
import { Deduplicator } from "../diagnostics";
import {
  type Described,
  type DriftedEvent,
  type EventHandlers,
  handle,
  type PlannedEvent,
  type Renderer,
  type RunEvent,
} from "../run-view";
import {
  describeEvent,
  describeShard,
  describeWait,
  doneSentence,
  failedSentence,
  planSentence,
} from "../summary";
import { waiverLine } from "../waivers";
import { diagnosticEvent, type JsonEvent, jsonEvent, versionEvent } from "./events";
import {
  appliedOutputsEvent,
  driftEvent,
  plannedChangeEvent,
  plannedOutputsEvent,
  resourceDriftEvent,
  resourceOf,
  uncheckedEvent,
  unmanagedEvent,
} from "./plan-events";

/**
 * Returns the Terraform event for an event of the engine. Returns undefined for progress, and for warnings, because warnings
 * become diagnostics.
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

/** The output for programs: one event in each line of stdout. The last event is the result. */
export class JsonRunView implements Renderer {
  readonly #deduplicator = new Deduplicator();
  #stack: string | undefined;
  #stacks = 1;
  readonly #results: Result[] = [];
  /** Whether the current stack has an error. An error in a stack's plan also makes the apply of this stack incomplete. */
  #hasFailed = false;
  #hasFailures = false;
  /** The line with the latest result. Steward writes this line at the end, because the result must be the last event. */
  #heldBack: string | undefined;
  /** Whether a result belongs to the whole run. The last event is then a total. */
  #hasWholeRun = false;
  #whole: Described = {};

  constructor(private readonly terminal: Pick<Terminal, "out" | "source">) {
    this.#write(versionEvent());
  }

  readonly #on: EventHandlers<RunEvent> = {
    shard: ({ shard }) => {
      const { number, total: of, stacks, ofStacks } = shard;
      const described = { number, of, stacks, of_stacks: ofStacks };
      this.#write(jsonEvent("shard", describeShard(shard), { shard: described }));
    },
    stack: ({ name, count }) => {
      this.#deduplicator.reset();
      this.#stack = name;
      this.#stacks = count;
      this.#hasFailed = false;
    },
    engine: ({ event }) => {
      if (event.kind === "warned") this.#diagnostics(event.diagnostics);
      const json = engineEventJson(event);
      if (json !== undefined) this.#write(json);
    },
    // Ignores this event, because only the output for people counts requests.
    requested: () => undefined,
    waiting: ({ wait }) => this.#write(jsonEvent("waiting", describeWait(wait), { waiting: wait })),
    diagnostics: ({ diagnostics }) => this.#diagnostics(diagnostics),
    notice: ({ text }) => this.#write(jsonEvent("log", text)),
    planned: (event) => this.#plan(event),
    saved: ({ file }) =>
      this.#writeOfRun(jsonEvent("plan_saved", `Saved the plan to ${file}`, { plan: { file } })),
    toApprove: ({ written: { file, digest, changes, isOfApply } }) => {
      const what = isOfApply
        ? counted(changes, "planned change")
        : `${counted(changes, "change")} to approve`;
      const text = `Wrote ${what} to ${file}: ${digest}`;
      this.#writeOfRun(jsonEvent("approval_saved", text, { approval: { file, digest, changes } }));
    },
    applied: ({ mode, result: { diagnostics, state, unchecked, done } }) => {
      this.#diagnostics(diagnostics);
      if (mode !== "destroy" && Object.keys(state.outputs).length > 0)
        this.#write(appliedOutputsEvent(state.outputs));
      const counts = { ...done, ...failedCounts(diagnostics, unchecked) };
      this.#result(mode === "destroy" ? "destroy" : "apply", counts, unchecked.length > 0);
    },
    drifted: (event) => this.#drift(event),
    notRepaired: ({ left: { address, reason } }) => {
      const text = `${address} is not repaired: ${reason}.`;
      this.#write(jsonEvent("drift_not_repaired", text, { resource: resourceOf(address), reason }));
    },
    unmanaged: ({ found: { model: objects }, suppressed }) => {
      // Undeclared objects belong to the whole run, not to the last stack.
      if (this.#stacks > 1) this.#stack = undefined;
      this.#suppressed(suppressed);
      for (const object of objects) this.#write(unmanagedEvent(object, this.terminal.source));
      const counts = { unmanaged: objects.length, ...suppressedCounts(suppressed) };
      this.#results.push({ of: "drift", counts, hasFailed: false });
      this.#hasWholeRun = true;
    },
    imported: ({ address, result: { id, diagnostics } }) => {
      this.#diagnostics(diagnostics);
      if (id === undefined) return;
      const hook = { resource: resourceOf(address), id_key: "id", id_value: id };
      this.#write(jsonEvent("import_complete", `${address}: Import complete [id=${id}]`, { hook }));
    },
    described: ({ whole }) => {
      this.#whole = whole;
    },
    waivers: ({ waivers }) => {
      // Writes the waivers now, because the result that is held back must be the last event.
      for (const one of waivers)
        this.terminal.out.line(this.#line(jsonEvent("waiver", `Waiver ${waiverLine(one)}`, { waiver: one })));
    },
  };

  on(event: RunEvent): void {
    handle(this.#on, event);
  }

  #diagnostics(diagnostics: readonly Diagnostic[]): void {
    if (hasErrors(diagnostics)) this.#hasFailed = this.#hasFailures = true;
    for (const one of this.#deduplicator.filter(diagnostics))
      this.#write(diagnosticEvent(one, this.terminal.source));
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

  /**
   * Writes an event about the whole run. The event with the result comes later, because the result must be the last event.
   */
  #writeOfRun(event: JsonEvent): void {
    this.#stack = undefined;
    this.terminal.out.line(this.#line(event));
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

  #suppressed({ ignored, known }: Suppressed): void {
    for (const { name, reason } of ignored)
      this.#write(jsonEvent("drift_ignored", `${name}: Ignored (${reason})`, { object: name, reason }));
    for (const { fingerprint } of known)
      this.#write(jsonEvent("drift_known", "Known from the earlier run", { fingerprint }));
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
    return stringifyJson({ ...rest, stack: this.#stack, type });
  }
}

const suppressedCounts = ({ ignored, known }: Suppressed) => ({
  ...(ignored.length > 0 && { ignored: ignored.length }),
  ...(known.length > 0 && { known: known.length }),
});

/** The result of a command for one stack. */
interface Result extends Described {
  readonly of: "plan" | "apply" | "destroy" | "drift";
  readonly counts: Counts;
  readonly hasFailed: boolean;
  /** The requests that an apply would send. Absent if the command line does not ask for these requests. */
  readonly requests?: readonly object[];
}

/**
 * Returns the event for a result. For plans and applies, this is Terraform's `change_summary`. Terraform has no event for drift.
 */
function resultEvent({ of, counts, hasFailed, access, rights, requests }: Result): JsonEvent {
  if (of === "drift") {
    return jsonEvent("drift_summary", driftSentence(counts, hasFailed), { drift: counts, access });
  }
  const message = of === "plan" ? planSentence(counts) : doneSentence(of, counts, hasFailed);
  const changes = { ...withoutZeroMoves(counts), operation: of };
  return jsonEvent("change_summary", message, { changes, access, rights, requests });
}

function driftSentence(counts: Counts, hasFailed: boolean): string {
  const { checked = 0, changed = 0, vanished = 0, unmanaged, known = 0, ignored = 0 } = counts;
  const failedPart = failedSentence(counts);
  const objects = `${counted(checked, "object")} checked`;
  const hasNoFindings = changed + vanished + (unmanaged ?? 0) === 0 && failedPart === "" && !hasFailed;
  const suppressedPart = hasNoFindings ? suppressedSentence(known, ignored) : undefined;
  if (suppressedPart !== undefined) return `${suppressedPart}. ${objects}.`;
  const unmanagedPart = unmanaged === undefined ? "" : `, ${unmanaged} unmanaged`;
  return `Drift: ${changed} changed, ${vanished} vanished${unmanagedPart} (${objects}).${failedPart}`;
}

/** Removes a count of moves that is zero, because Terraform's event has no such count. */
const withoutZeroMoves = ({ move, ...counts }: Counts): Counts => (move ? { ...counts, move } : counts);

/**
 * Returns the total of several stacks. If some stacks were applied, the total does not include stacks that were only planned.
 *
 * @param hasFailures whether any stack has an error, also a stack without a result
 * @param described the access and rights of all stacks together
 */
function total(results: readonly Result[], hasFailures: boolean, described: Described): Result | undefined {
  const of = results.find((result) => result.of !== "plan")?.of ?? results[0]?.of;
  if (of === undefined) return undefined;
  const own = results.filter((result) => result.of === of);
  const requests = own.flatMap((result) => result.requests ?? []);
  return {
    of,
    counts: sumOf(own.map(({ counts }) => counts)),
    hasFailed: hasFailures || results.some((result) => result.hasFailed),
    ...described,
    ...(results.some((result) => result.requests !== undefined) && { requests }),
  };
}

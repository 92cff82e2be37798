import type { Diagnostic } from "../../diagnostics";
import {
  addressesOf,
  objectName,
  type Plan,
  type ResourceChange,
  type State,
  selectInstances,
  type ValueObject,
} from "../../engine";
import { compareNatural } from "../../text";
import { type ChangedOutside, changedOutside } from "../difference";
import type { PlannedStack } from "../document/counts";
import { describeChange, describeDiagnostic, describeDrifted, describeObject } from "../document/describe";
import type { Report, ReportCommand, ReportDiagnostic, ReportObject, ReportStack } from "../document/model";
import type { Suppressed } from "../findings/finding";
import type { NamedSource } from "../terminal/terminal";
import { type EventHandlers, handle, type RunEvent } from "../views/run-view";

/** Matches the address of a resource or a data source; group 1 is the type. */
const ADDRESS = /^(?:data\.)?([^.[]+)\.[^.[]+(?:\[.*\])?$/s;
const NOT_A_TYPE = new Set(["output", "var", "local", "provider", "check", "module"]);

/** Collects the events of one stack, and makes the part of the report about this stack. */
export class StackCollector {
  readonly #objects = new Map<string, ReportObject>();
  readonly #unchecked = new Set<string>();
  readonly #outcomes = new Map<string, "done" | "failed">();
  readonly #diagnostics = new Map<string, ReportDiagnostic>();
  #plan: Pick<ReportStack, "plan" | "outputs" | "outside"> = { outputs: [] };
  #suppressed: Suppressed = { ignored: [], known: [] };
  #hasFound = false;
  #isApplied = false;
  #planned: readonly {
    readonly change: ResourceChange;
    readonly outside: ChangedOutside;
  }[] = [];
  /** Whether this run also applies its plan. */
  readonly #isApply: boolean;

  constructor(
    private readonly name: string | undefined,
    private readonly command: ReportCommand,
    private readonly source?: NamedSource,
  ) {
    this.#isApply = command === "apply" || command === "destroy";
  }

  readonly #on: Partial<EventHandlers<RunEvent>> = {
    engine: ({ event }) => {
      if (event.kind !== "apply_complete" && event.kind !== "apply_errored") return;
      // A replacement has two events: one for the delete, one for the create. If one of these failed, the replacement failed.
      if (this.#outcomes.get(event.address) !== "failed")
        this.#outcomes.set(event.address, event.kind === "apply_complete" ? "done" : "failed");
    },
    diagnostics: ({ diagnostics }) => this.#add(diagnostics),
    planned: ({ planned, model }) => {
      // The report of a drift run lists the drift that the run found, even if a repair has already corrected the drift.
      // Therefore, the report leaves out the plan of the repair.
      if (this.command !== "drift") this.#setPlan(planned, model);
      for (const name of planned.unchecked) this.#unchecked.add(name);
      this.#add(planned.diagnostics);
    },
    applied: ({ result: { state, diagnostics } }) => {
      this.#markApplied(state);
      if (this.command === "drift") this.#markRepaired();
      this.#add(diagnostics);
    },
    drifted: ({ drift, model, suppressed }) => {
      this.#suppress(suppressed);
      for (const name of drift.unchecked) this.#unchecked.add(name);
      const differing = new Map(drift.objects.map((object) => [object.address, object]));
      this.#list([
        ...model.unchecked.map(({ object }) => describeObject(object, "failed")),
        ...model.objects.map((one) => differing.get(one.address) ?? describeObject(one, "in_sync")),
      ]);
      this.#hasFound ||= drift.objects.length > 0;
      this.#add(drift.diagnostics);
    },
    notRepaired: ({ left: { address, reason } }) => this.#change(address, { not_repaired: reason }),
    unmanaged: ({ found: { objects }, suppressed }) => {
      this.#suppress(suppressed);
      this.#list(objects);
      this.#hasFound ||= objects.length > 0;
    },
  };

  on(event: RunEvent): void {
    handle(this.#on, event);
  }

  #list(objects: readonly ReportObject[]): void {
    for (const object of objects) this.#objects.set(objectName(object.address, object.deposed), object);
  }

  #add(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) {
      const one = describeDiagnostic(diagnostic, this.source);
      this.#diagnostics.set(JSON.stringify(one), one);
    }
  }

  #suppress({ ignored, known }: Suppressed): void {
    this.#suppressed = {
      ignored: [...this.#suppressed.ignored, ...ignored],
      known: [...this.#suppressed.known, ...known],
    };
  }

  /** Records a plan. After the apply, `#markApplied` adds the values that were unknown. */
  #setPlan({ plan, objects, outputs, outside: drift }: PlannedStack, model: Plan): void {
    this.#hasFound ||= plan.has_changes;
    const outside = changedOutside({ mode: model.mode, drift: model.drift });
    this.#list(objects);
    this.#plan = { plan, outputs, ...(drift.length > 0 && { outside: drift }) };
    this.#planned = (plan.mode === "refresh-only" ? model.drift : model.changes).map((change) => ({
      change,
      outside: outside(change),
    }));
  }

  /** Records that the plan was applied, and adds the values that became known during the apply. */
  #markApplied(state: State): void {
    this.#isApplied = true;
    const values = new Map(
      selectInstances(state)
        .filter(({ instance }) => instance.deposed === undefined)
        .map((found) => [addressesOf([found])[0]!, found.instance.attributes] as const),
    );
    for (const { change, outside } of this.#planned) {
      const after = values.get(change.address) as ValueObject | undefined;
      const isDone = this.#outcomes.get(change.address) === "done";
      if (!isDone || change.after === null || after === undefined) continue;
      const { depends_on: dependsOn, is_revert: isRevert } = this.#objects.get(change.address) ?? {};
      const object = describeChange({ ...change, after }, outside, isRevert);
      this.#list([{ ...object, ...(dependsOn && { depends_on: dependsOn }) }]);
    }
  }

  /** Adds the mark `repaired` to each drifted object that the run changed. */
  #markRepaired(): void {
    for (const [address, object] of this.#objects)
      if (this.#outcomes.get(address) === "done" && object.fingerprint !== undefined)
        this.#change(address, { repaired: true });
  }

  finish(): { readonly stack: ReportStack; readonly result: Report["result"] } {
    const general: ReportDiagnostic[] = [];
    this.#list([...this.#objects.values()].map((object) => this.#withOutcome(object)));
    for (const diagnostic of this.#diagnostics.values()) {
      const object = this.#objects.get(diagnostic.address ?? "") ?? unplannedObject(diagnostic);
      if (object === undefined) general.push(diagnostic);
      else this.#list([withDiagnostic(object, diagnostic)]);
    }
    for (const address of this.#unchecked) this.#change(address, { unchecked: true });
    for (const { name, fingerprint, drifted } of this.#suppressed.known) {
      const { attributes, strictness } = (drifted && describeDrifted(drifted, this.name)) ?? {};
      this.#change(name, {
        ...(attributes && { attributes }),
        ...(strictness && { strictness }),
        known: true,
        fingerprint,
      });
    }
    return {
      stack: {
        name: this.name ?? null,
        objects: [...this.#objects.values()].sort((one, other) => compareNatural(one.address, other.address)),
        ...this.#plan,
        unchecked: this.#unchecked.size,
        ignored: this.#suppressed.ignored.map(({ name, reason }) => ({ object: name, reason })),
        known: this.#suppressed.known.length,
        known_fingerprints: this.#suppressed.known.map(({ fingerprint }) => fingerprint),
        diagnostics: general,
      },
      result: this.#result(),
    };
  }

  #change(name: string, change: Partial<ReportObject>): void {
    const object = this.#objects.get(name);
    if (object !== undefined) this.#list([{ ...object, ...change }]);
  }

  #withOutcome(object: ReportObject): ReportObject {
    if (!this.#isApply || object.status !== "planned") return object;
    const isAdjusted =
      this.#isApplied && object.action !== undefined && STATE_ONLY_ACTIONS.has(object.action);
    return { ...object, status: this.#outcomes.get(object.address) ?? (isAdjusted ? "done" : "not_done") };
  }

  #result(): Report["result"] {
    const hasErrors = [...this.#diagnostics.values()].some(({ severity }) => severity === "error");
    const isRefused = this.#isApply && this.#hasFound && !this.#isApplied;
    if (hasErrors || isRefused) return "failed";
    return this.#hasFound ? "found" : "clean";
  }
}

/** The actions that only change the state. No event says when such an action is completed. */
const STATE_ONLY_ACTIONS: ReadonlySet<string> = new Set(["move", "import", "forget"]);

function withDiagnostic(object: ReportObject, diagnostic: ReportDiagnostic): ReportObject {
  const status = diagnostic.severity === "error" ? "failed" : object.status;
  return { ...object, status, diagnostics: [...object.diagnostics, diagnostic] };
}

/**
 * Returns the object that the plan lacks because of this error, in the form that reports contain. Returns undefined if the
 * diagnostic is not an error about an object that the plan lacks.
 */
function unplannedObject({ severity, address, construct }: ReportDiagnostic): ReportObject | undefined {
  const type = ADDRESS.exec(address ?? "")?.[1];
  if (severity !== "error" || address === undefined || type === undefined || NOT_A_TYPE.has(type))
    return undefined;
  return {
    address,
    type,
    ...(construct !== undefined && { construct }),
    status: "failed",
    attributes: [],
    diagnostics: [],
  };
}

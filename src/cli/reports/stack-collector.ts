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
import { describeChange, describeDrifted } from "../document/describe";
import type { Report, ReportDiagnostic, ReportObject, ReportStack } from "../document/model";
import type { PlannedStack } from "../document/stack-parts";
import type { Suppressed } from "../drift/finding-filter";

/** Matches the address of a resource or a data source; group 1 is the type. */
const ADDRESS = /^(?:data\.)?([^.[]+)\.[^.[]+(?:\[.*\])?$/s;
const NOT_A_TYPE = new Set(["output", "var", "local", "provider", "check", "module"]);

/** Collects the results of one stack. */
export class StackCollector {
  readonly #objects = new Map<string, ReportObject>();
  readonly #unchecked = new Set<string>();
  readonly #outcomes = new Map<string, "done" | "failed">();
  readonly #diagnostics = new Map<string, ReportDiagnostic>();
  #plan: Pick<ReportStack, "plan" | "outputs" | "outside"> = { outputs: [] };
  #suppressed: Suppressed = { ignored: [], known: [] };
  #hasFound = false;
  #isApplied = false;
  #planned: readonly { readonly change: ResourceChange; readonly outside: ChangedOutside }[] = [];

  constructor(
    private readonly name: string | undefined,
    /** Whether this run also applies the plan. */
    private readonly isApply: boolean,
  ) {}

  object(object: ReportObject): void {
    this.#objects.set(objectName(object.address, object.deposed), object);
  }

  /** Records that a repair left a drifted object unchanged. */
  notRepaired(address: string, reason: string): void {
    this.#change(address, { not_repaired: reason });
  }

  /** Records that the applied changes of this run are those of a repair: they restored drifted objects. */
  repaired(): void {
    for (const [address, object] of this.#objects) {
      if (this.#outcomes.get(address) === "done" && object.fingerprint !== undefined)
        this.#change(address, { repaired: true });
    }
  }

  /** The names of objects that could not be checked. Their diagnostics are added separately. */
  unchecked(names: readonly string[]): void {
    for (const name of names) this.#unchecked.add(name);
  }

  /** Records whether the stack has changes or drift. */
  addFinding(isFound: boolean): void {
    this.#hasFound ||= isFound;
  }

  suppressed(suppressed: Suppressed): void {
    this.#suppressed = {
      ignored: [...this.#suppressed.ignored, ...suppressed.ignored],
      known: [...this.#suppressed.known, ...suppressed.known],
    };
  }

  setOutcome(address: string, how: "done" | "failed"): void {
    // A replacement completes twice, and a failure of either step counts.
    if (this.#outcomes.get(address) !== "failed") this.#outcomes.set(address, how);
  }

  /** Records a plan; the values of its changes are completed by the apply. */
  planned({ plan, objects, outputs, outside: drift }: PlannedStack, model: Plan): void {
    this.addFinding(plan.has_changes);
    const outside = changedOutside(model);
    for (const object of objects) this.object(object);
    this.#plan = { plan, outputs, ...(drift.length > 0 && { outside: drift }) };
    this.#planned = (plan.mode === "refresh-only" ? model.drift : model.changes).map((change) => ({
      change,
      outside: outside(change),
    }));
  }

  /** Records that the plan was applied, and the values that were known only then. */
  markApplied(state: State): void {
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
      const dependsOn = this.#objects.get(change.address)?.depends_on;
      this.object({
        ...describeChange({ ...change, after }, outside),
        ...(dependsOn && { depends_on: dependsOn }),
      });
    }
  }

  diagnostic(diagnostic: ReportDiagnostic): void {
    this.#diagnostics.set(JSON.stringify(diagnostic), diagnostic);
  }

  finish(): { readonly stack: ReportStack; readonly result: Report["result"] } {
    const general: ReportDiagnostic[] = [];
    for (const object of this.#objects.values()) this.object(this.#withOutcome(object));
    for (const diagnostic of this.#diagnostics.values()) {
      const object = this.#objects.get(diagnostic.address ?? "") ?? unplannedObject(diagnostic);
      if (object === undefined) general.push(diagnostic);
      else this.object(withDiagnostic(object, diagnostic));
    }
    for (const address of this.#unchecked) this.#change(address, { unchecked: true });
    for (const { name, fingerprint, drifted } of this.#suppressed.known) {
      const { attributes, strictness } = (drifted && describeDrifted(drifted, this.name)) ?? {};
      this.#change(name, {
        ...(attributes && { attributes }),
        ...(strictness && { strictness }),
        ...{ known: true, fingerprint },
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
    if (object !== undefined) this.object({ ...object, ...change });
  }

  #withOutcome(object: ReportObject): ReportObject {
    if (!this.isApply || object.status !== "planned") return object;
    const isAdjusted =
      this.#isApplied && object.action !== undefined && STATE_ONLY_ACTIONS.has(object.action);
    return { ...object, status: this.#outcomes.get(object.address) ?? (isAdjusted ? "done" : "not_done") };
  }

  #result(): Report["result"] {
    const hasErrors = [...this.#diagnostics.values()].some(({ severity }) => severity === "error");
    const isRefused = this.isApply && this.#hasFound && !this.#isApplied;
    if (hasErrors || isRefused) return "failed";
    return this.#hasFound ? "found" : "clean";
  }
}

/** Actions that only change the state. No event reports their completion. */
const STATE_ONLY_ACTIONS: ReadonlySet<string> = new Set(["move", "import", "forget"]);

function withDiagnostic(object: ReportObject, diagnostic: ReportDiagnostic): ReportObject {
  const status = diagnostic.severity === "error" ? "failed" : object.status;
  return { ...object, status, diagnostics: [...object.diagnostics, diagnostic] };
}

/** An object that is not in the plan because of this error. */
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

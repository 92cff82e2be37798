import type { Suppressed } from "../drift/finding-filter";
import type { Report, ReportDiagnostic, ReportObject, ReportStack } from "./model";

/** A resource's or data source's address, the type in front of the name; nothing else has one in a report. */
const ADDRESS = /^(?:data\.)?([^.[]+)\.[^.[]+(?:\[.*\])?$/s;
const NOT_A_TYPE = new Set(["output", "var", "local", "provider", "check", "module"]);

/** Gathers what becomes of one stack. */
export class StackCollector {
  readonly name: string | undefined;
  /** Whether what is planned is to be done by this run as well. */
  readonly #applies: boolean;
  readonly #objects = new Map<string, ReportObject>();
  readonly #unchecked = new Set<string>();
  readonly #ended = new Map<string, "done" | "failed">();
  readonly #diagnostics = new Map<string, ReportDiagnostic>();
  #outputs: ReportStack["outputs"] = [];
  #suppressed: Suppressed = { ignored: [], known: [] };
  #hasFound = false;
  #isApplied = false;

  constructor(name: string | undefined, applies: boolean) {
    this.name = name;
    this.#applies = applies;
  }

  object(object: ReportObject): void {
    this.#objects.set(object.address, object);
  }

  outputs(outputs: ReportStack["outputs"]): void {
    this.#outputs = outputs;
  }

  /** A drifted object that a repair left as it is. */
  notRepaired(address: string, reason: string): void {
    const object = this.#objects.get(address);
    if (object !== undefined) this.#objects.set(address, { ...object, not_repaired: reason });
  }

  /** Names of objects that could not be looked at; their diagnostics are told as well. */
  unchecked(names: readonly string[]): void {
    for (const name of names) this.#unchecked.add(name);
  }

  /** Whether there is anything to tell, such as a change or drift. */
  found(something: boolean): void {
    this.#hasFound ||= something;
  }

  suppressed(suppressed: Suppressed): void {
    this.#suppressed = {
      ignored: [...this.#suppressed.ignored, ...suppressed.ignored],
      known: [...this.#suppressed.known, ...suppressed.known],
    };
  }

  ended(address: string, how: "done" | "failed"): void {
    // A replacement ends twice: one end that failed is what counts.
    if (this.#ended.get(address) !== "failed") this.#ended.set(address, how);
  }

  applied(): void {
    this.#isApplied = true;
  }

  diagnostic(diagnostic: ReportDiagnostic): void {
    this.#diagnostics.set(JSON.stringify(diagnostic), diagnostic);
  }

  end(): { readonly stack: ReportStack; readonly result: Report["result"] } {
    const general: ReportDiagnostic[] = [];
    const objects = new Map([...this.#objects].map(([address, object]) => [address, this.#ending(object)]));
    for (const diagnostic of this.#diagnostics.values()) {
      const object = objects.get(diagnostic.address ?? "") ?? unplanned(diagnostic);
      if (object === undefined) general.push(diagnostic);
      else objects.set(object.address, withDiagnostic(object, diagnostic));
    }
    for (const address of this.#unchecked) {
      const object = objects.get(address);
      if (object !== undefined) objects.set(address, { ...object, unchecked: true });
    }
    const byAddress = [...objects.values()].sort((one, other) => (one.address < other.address ? -1 : 1));
    return {
      stack: {
        name: this.name ?? null,
        objects: byAddress,
        outputs: this.#outputs,
        unchecked: this.#unchecked.size,
        ignored: this.#suppressed.ignored.map(({ name, reason }) => ({ object: name, reason })),
        known: this.#suppressed.known.length,
        known_fingerprints: this.#suppressed.known,
        diagnostics: general,
      },
      result: this.#result(),
    };
  }

  #ending(object: ReportObject): ReportObject {
    if (!this.#applies || object.status !== "planned") return object;
    const isAdjusted = this.#isApplied && object.action !== undefined && ADJUSTS_THE_STATE.has(object.action);
    return { ...object, status: this.#ended.get(object.address) ?? (isAdjusted ? "done" : "not_done") };
  }

  #result(): Report["result"] {
    const hasErrors = [...this.#diagnostics.values()].some(({ severity }) => severity === "error");
    const isRefused = this.#applies && this.#hasFound && !this.#isApplied;
    if (hasErrors || isRefused) return "failed";
    return this.#hasFound ? "found" : "clean";
  }
}

/** Actions that change the state alone: nothing tells of their end. */
const ADJUSTS_THE_STATE: ReadonlySet<string> = new Set(["move", "import", "forget"]);

function withDiagnostic(object: ReportObject, diagnostic: ReportDiagnostic): ReportObject {
  const status = diagnostic.severity === "error" ? "failed" : object.status;
  return { ...object, status, diagnostics: [...object.diagnostics, diagnostic] };
}

/** An object that never came into the plan, because of what the diagnostic says. */
function unplanned({ severity, address, construct }: ReportDiagnostic): ReportObject | undefined {
  const type = ADDRESS.exec(address ?? "")?.[1];
  if (severity !== "error" || address === undefined || type === undefined || NOT_A_TYPE.has(type))
    return undefined;
  return {
    address,
    type,
    ...(construct !== undefined && { construct }),
    status: "failed",
    attributes: [],
    diff: "",
    diagnostics: [],
  };
}

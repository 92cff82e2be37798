import { type Diagnostic, hasErrors } from "../../diagnostics";
import type {
  ApplyResult,
  DriftReport,
  EngineEvent,
  ImportResult,
  Plan,
  PlanMode,
  Shard,
  SkippedObject,
  UnmanagedObject,
} from "../../engine";
import type { UsedWaiver } from "../../provider";
import {
  accessEntries,
  basisEntries,
  describeRequests,
  mergeAccess,
  mergeRights,
  rightEntries,
  undeclaredAccess,
} from "../document/access";
import { accessHeadline } from "../document/access-entry";
import type { Counts, DriftedStack, PlannedStack } from "../document/counts";
import { describeDrift, describePlan, planCounts } from "../document/describe";
import type {
  Report,
  ReportAccess,
  ReportAccessBasis,
  ReportObject,
  ReportRight,
  ReportWaiver,
} from "../document/model";
import { describeUnmanaged } from "../document/undeclared";
import type { Suppressed } from "../findings/finding";
import type { NamedSource } from "../terminal/terminal";
import type { Wait } from "./waits";
import { waiverJson } from "./waivers";

/** The undeclared live objects of a run. */
export interface Unmanaged {
  readonly objects: readonly ReportObject[];
  /** The objects with their values, for the output for programs. */
  readonly model: readonly UnmanagedObject[];
  /** The number of projects and groups that the run searched. */
  readonly containers: number;
}

/** The shard of a run, with its stacks. */
export interface AppShard extends Shard {
  readonly stacks: readonly string[];
  /** The number of stacks of the app. */
  readonly ofStacks: number;
  /** The stacks that several shards share. Each shard has some of their projects. */
  readonly divided: readonly string[];
}

/** A file with changes to approve. People approve the digest of the file. */
export interface ToApprove {
  readonly file: string;
  readonly digest: string;
  /** The number of changes in the file. */
  readonly changes: number;
  /** The file with the plan, if Terraform or OpenTofu made this plan. */
  readonly planJson?: string;
  /** Whether `ci apply` wrote the file. This command counts the approvals itself, so the digest needs no approval. */
  readonly isOfApply?: boolean;
}

/** The access changes, and the rights that a token needs. Absent if the command line does not ask for this information. */
export type Described = Pick<Report, "access" | "access_basis" | "rights">;

/** The events of a run. The events contain the results in the form that reports contain. */
export type RunEvent =
  /** The run works only on this shard of the stacks. */
  | { readonly kind: "shard"; readonly shard: AppShard }
  /** The following events are about this stack, which is one of `count` stacks. */
  | { readonly kind: "stack"; readonly name: string | undefined; readonly count: number }
  | { readonly kind: "engine"; readonly event: EngineEvent }
  /** A request was sent. */
  | { readonly kind: "requested" }
  /** A pause begins, in which the run sends no requests. */
  | { readonly kind: "waiting"; readonly wait: Wait }
  /** New diagnostics of a stack or of the run. */
  | { readonly kind: "diagnostics"; readonly diagnostics: readonly Diagnostic[] }
  /** A message for people that reports do not contain, for example about a wait for a lock. */
  | { readonly kind: "notice"; readonly text: string }
  | PlannedEvent
  /** The plans of all stacks were saved to a file. */
  | { readonly kind: "saved"; readonly file: string; readonly options?: readonly string[] | undefined }
  /** The changes of all stacks were written to a file for approval. */
  | { readonly kind: "toApprove"; readonly written: ToApprove }
  | { readonly kind: "applied"; readonly mode: PlanMode; readonly result: ApplyResult }
  | DriftedEvent
  /** A repair left a drifted object unchanged. */
  | { readonly kind: "notRepaired"; readonly left: SkippedObject }
  /** The undeclared objects of the whole run. */
  | {
      readonly kind: "unmanaged";
      readonly found: Unmanaged;
      readonly suppressed: Suppressed;
      /**
       * The access changes of the whole run. This event contains the access changes, because undeclared objects may give access
       * too.
       */
      readonly described: Described;
    }
  | { readonly kind: "imported"; readonly address: string; readonly result: ImportResult }
  /** The access changes of all stacks, merged, and the rights of all stacks. */
  | { readonly kind: "described"; readonly whole: Described }
  /** The waivers of the run, with the findings that they accept. */
  | { readonly kind: "waivers"; readonly waivers: readonly ReportWaiver[] };

/** The totals of a plan: its counts, and the sentence about access if the plan shows access. */
export interface PlanTotals {
  readonly counts: Counts;
  readonly access?: string;
}

export interface PlannedEvent {
  readonly kind: "planned";
  /**
   * The plan in the form that reports contain. Steward computes this form on first use, because the JSON output uses `model`
   * instead.
   */
  readonly planned: PlannedStack;
  readonly described: Described;
  readonly requests: Report["requests"];
  readonly model: Plan;
}

export interface DriftedEvent {
  readonly kind: "drifted";
  readonly drift: DriftedStack;
  readonly described: Described;
  readonly suppressed: Suppressed;
  readonly model: DriftReport;
}

/** The event handlers of an output. The keys are the kinds of events. */
export type EventHandlers<E extends { readonly kind: string }> = {
  readonly [K in E["kind"]]: (event: Extract<E, { readonly kind: K }>) => void;
};

/** Calls the handler for the kind of an event, if such a handler exists. */
export function handle<E extends { readonly kind: string }>(
  handlers: Partial<EventHandlers<E>>,
  event: E,
): void {
  const handler: ((event: never) => void) | undefined = handlers[event.kind as E["kind"]];
  handler?.(event as never);
}

/** An output of a run, such as a text for people, events for programs or a report. */
export interface Renderer {
  /** Whether the plans for this output must also contain unchanged objects. */
  readonly isWhole?: boolean;
  on(event: RunEvent): void;
  /** Called if the run has several stacks. Returns the output that replaces this output. */
  ofSeveralStacks?(): Renderer;
  /** Removes the progress display. Called before a command writes output itself. */
  stopProgress?(): void;
  /** Completes the output. Called at the end of the run. */
  end(): Promise<void>;
}

/** Sends the events of a run to its renderers. The report form of the results is made only once, for all renderers. */
export class RunView {
  #renderers: readonly Renderer[];
  readonly #isWhole: boolean;
  #stack: string | undefined;
  #access: ReportAccess[] | undefined;
  #basis: ReportAccessBasis[] = [];
  #rights: ReportRight[] | undefined;
  /** The options of the command line that suggested commands repeat. */
  source: NamedSource | undefined;

  constructor(...renderers: readonly Renderer[]) {
    this.#renderers = renderers;
    this.#isWhole = renderers.some(({ isWhole }) => isWhole);
  }

  tell(event: RunEvent): void {
    for (const one of this.#renderers) one.on(event);
  }

  stack(name: string | undefined, count: number): void {
    this.#stack = name;
    if (name !== undefined && count > 1)
      this.#renderers = this.#renderers.map((one) => one.ofSeveralStacks?.() ?? one);
    this.tell({ kind: "stack", name, count });
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    this.tell({ kind: "diagnostics", diagnostics });
  }

  notice(text: string): void {
    this.tell({ kind: "notice", text });
  }

  /** Shows a plan. Returns the totals of the plan; the question for approval repeats these totals. */
  plan(model: Plan): PlanTotals {
    const described = this.#describe(model);
    this.tell(plannedEvent(model, described, this.#isWhole, this.#stack));
    const { access } = described;
    return {
      counts: planCounts(model),
      ...(access && { access: accessHeadline(access, !hasErrors(model.diagnostics)) }),
    };
  }

  /**
   * @param hasCoverage whether an event about undeclared objects follows. If so, that event contains the access changes, and
   * the event about drift contains none
   */
  drift(model: DriftReport, suppressed: Suppressed, hasCoverage = false): void {
    const own = this.#describe(model);
    const [described, stack] = [hasCoverage ? {} : own, this.#stack];
    this.tell(
      withPart({ kind: "drifted", described, suppressed, model } as const, "drift", () =>
        describeDrift(model, stack, this.source),
      ),
    );
  }

  saved(file: string, options?: readonly string[]): void {
    this.#tellWhole();
    this.tell({ kind: "saved", file, options });
  }

  toApprove(written: ToApprove): void {
    this.#tellWhole();
    this.tell({ kind: "toApprove", written });
  }

  applied(mode: PlanMode, result: ApplyResult): void {
    this.tell({ kind: "applied", mode, result });
  }

  unmanaged(model: readonly UnmanagedObject[], containers: number, suppressed: Suppressed): void {
    this.#access?.push(...undeclaredAccess(model));
    const found = { objects: model.map((one) => describeUnmanaged(one, this.source)), model, containers };
    const described = merged(this.#access, undefined, this.#basis);
    this.tell({ kind: "unmanaged", found, suppressed, described });
  }

  waivers(all: readonly UsedWaiver[]): void {
    this.tell({ kind: "waivers", waivers: all.map(waiverJson) });
  }

  stopProgress(): void {
    for (const one of this.#renderers) one.stopProgress?.();
  }

  async end(): Promise<void> {
    this.#tellWhole();
    for (const one of this.#renderers) await one.end();
  }

  /** Returns the access changes and rights of one stack, and records them for the whole run. */
  #describe({ access, rights }: Pick<Plan, "access" | "rights">): Described {
    const stack = this.#stack;
    const changed = access && accessEntries(access, stack);
    if (changed !== undefined) this.#access ??= [];
    for (const one of changed ?? []) this.#access!.push(one);
    if (stack !== undefined) this.#basis.push(...basisEntries(access?.touched ?? [], stack));
    const needed = rights && rightEntries(rights, stack);
    if (needed !== undefined) this.#rights = [...(this.#rights ?? []), ...needed];
    return merged(changed, needed);
  }

  #tellWhole(): void {
    const [access, rights, basis] = [this.#access, this.#rights, this.#basis];
    [this.#access, this.#rights, this.#basis] = [undefined, undefined, []];
    if (access !== undefined || rights !== undefined)
      this.tell(withPart({ kind: "described" } as const, "whole", () => merged(access, rights, basis)));
  }
}

/** Returns the event for a plan. The event computes the report form of the plan on first use. */
export function plannedEvent(
  model: Plan,
  described: Described = {},
  isWhole = true,
  stack: string | undefined = undefined,
): PlannedEvent {
  const requests = model.requests && describeRequests(model.requests, stack);
  return withPart({ kind: "planned", described, requests, model } as const, "planned", () =>
    describePlan(model, isWhole),
  );
}

function withPart<E extends object, N extends string, T>(event: E, name: N, make: () => T): E & Record<N, T> {
  let made: T | undefined;
  return Object.defineProperty(event, name, { get: () => (made ??= make()), enumerable: true }) as E &
    Record<N, T>;
}

const merged = (
  access: readonly ReportAccess[] | undefined,
  rights: readonly ReportRight[] | undefined,
  basis: readonly ReportAccessBasis[] = [],
): Described => ({
  ...(access && { access: mergeAccess(access, basis) }),
  ...(access && basis.length > 0 && { access_basis: [...basis] }),
  ...(rights && { rights: mergeRights(rights) }),
});

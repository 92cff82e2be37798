import { type Diagnostic, DiagnosticError, error, fail } from "../../diagnostics";
import {
  type DriftedObject,
  type LoadedStacks,
  type OpenStack,
  type Plan,
  type StackOutcome,
  sameValue,
  type Value,
} from "../../engine";
import { compareStrictness } from "../../provider";
import { oneLine, SENSITIVE } from "../../text";
import type { DriftArguments } from "../arguments/drift";
import { openPolicies } from "../policy/open-policies";
import type { Policies } from "../policy/policies";
import { asksApproval, canAsk, reasonNotToAsk } from "../stack-runs/ask-approval";
import type { Terminal } from "../terminal/terminal";
import { jsonEvent } from "../views/json/events";
import { AcceptedCode, type Candidate } from "./accept-code";

/** A live value, and the reason why Steward does not write it into the code. */
interface LeftValue {
  readonly address: string;
  readonly position: string | undefined;
  readonly attribute?: string;
  readonly live?: string;
  readonly why: string;
}

/**
 * Writes drifted live values into the code of an app or a configuration: all files, or none of them. An acceptance never
 * changes the state.
 */
export class Acceptance {
  readonly #policies: Policies | undefined;
  readonly #candidates: Candidate[] = [];
  readonly #left: LeftValue[] = [];
  readonly #refusals: Diagnostic[] = [];
  readonly #code: AcceptedCode;

  /**
   * @throws DiagnosticError `approval_needed` if Steward can't ask for approval. This check comes before the first read of a
   * state or the service
   */
  constructor(
    private readonly args: DriftArguments,
    private readonly terminal: Terminal,
  ) {
    this.#code = new AcceptedCode(args, terminal);
    this.#policies = args.config === undefined ? openPolicies({}, terminal) : undefined;
    if (args.yes || args.dryRun || (canAsk(terminal) && !args.json)) return;
    fail({
      code: "approval_needed",
      summary: "Approval required",
      detail: `\`steward drift --accept\` asks for approval, but ${reasonNotToAsk(args.json, terminal)}. The code is unchanged. Review the changes with --dry-run, then add --yes.`,
    });
  }

  load(): Promise<LoadedStacks> {
    return this.#code.load();
  }

  /** Records the drift of a stack, and checks the drift against the policies. */
  async take(stack: OpenStack, drifted: readonly DriftedObject[]): Promise<void> {
    const { attributes } = this.args;
    const taken: Candidate[] = [];
    for (const one of drifted) {
      const { change } = one;
      if (one.kind === "vanished")
        this.#leave(one, {
          why: "it is gone from the service. Delete its declaration, or apply to create it again",
        });
      for (const attribute of one.attributes) {
        if (attributes.length > 0 && !attributes.includes(attribute)) continue;
        const declared = (attribute in one.declared ? one.declared : change.before!)[attribute] ?? null;
        const live = change.after?.[attribute] ?? null;
        // If the declared value and the live value are equal, an earlier run already wrote the live value into the code.
        if (!sameValue(declared, live, change.attributes[attribute]?.type))
          taken.push({ stack: stack.name, drifted: one, attribute, declared, live });
      }
    }
    this.#candidates.push(...taken);
    this.#refuseLooser(taken);
    if (this.#policies?.hasRules !== true || taken.length === 0) return;
    const plan = await stack.plan({});
    this.#refusals.push(...this.#forbidden(plan, taken, stack.name));
  }

  /** Adds an error for each live value that is looser than the declared value, unless `--allow-loosening` is set. */
  #refuseLooser(taken: readonly Candidate[]): void {
    if (this.args.allowLoosening) return;
    for (const { drifted, attribute, declared, live } of taken) {
      const { address, construct, type } = drifted.change;
      const only = (value: Value) => ({
        ...(plainOf(drifted.change.before) as object),
        [attribute]: plainOf(value),
      });
      const found = compareStrictness(type, only(declared), only(live));
      if (found === "tighter" || found === "equal") continue;
      this.#refusals.push(
        error({
          code: "accept_refused",
          summary: "Accepting would loosen a setting",
          detail: `The live value of ${attribute} allows ${found === "looser" ? "more" : "partly more"} than the value in the code. Nothing was written. If this is intended, add --allow-loosening. To leave this value out, use --exclude, or select other values with --target or --attribute.`,
          address,
          attribute: [attribute],
          ...(construct !== undefined && { construct }),
        }),
      );
    }
  }

  /** Returns the policy violations that only the accepted values cause. */
  #forbidden(plan: Plan, taken: readonly Candidate[], stack: string | undefined): Diagnostic[] {
    const changes = plan.changes.map((change) => {
      const accepted = taken.filter(({ drifted }) => drifted.change.address === change.address);
      if (accepted.length === 0) return change;
      const values = Object.fromEntries(accepted.map(({ attribute, live }) => [attribute, live]));
      return {
        ...change,
        action: "update" as const,
        before: accepted[0]!.drifted.change.before,
        after: { ...change.after, ...values },
      };
    });
    const keyOf = ({ rule, address, detail }: Diagnostic) => JSON.stringify([rule, address, detail]);
    const known = new Set(this.#policies!.violations(plan, stack).map(keyOf));
    return this.#policies!.violations({ ...plan, changes, changing: changes }, stack).filter(
      (one) => one.severity === "error" && !known.has(keyOf(one)),
    );
  }

  /** Writes the accepted values into the code. With `--dry-run`, only shows the diff of the code. */
  async finish(): Promise<StackOutcome> {
    if (this.#refusals.length > 0) throw new DiagnosticError(this.#refusals);
    const accepted = this.#candidates.filter((one) => this.#accept(one));
    const { files, diff } = this.#code;
    this.#tell(accepted, diff);
    if (files.length > 0 && this.args.dryRun && !(await this.#code.tryOut()))
      this.terminal.err.line(
        "The app can't run in a copy of its folder, so its policies and the layers' `floor` are checked only when the values are written.",
      );
    if (files.length > 0 && !this.args.dryRun && (await this.#isApproved())) {
      await this.#code.write();
      this.#notice(
        `Wrote ${files.join(", ")}. The state is unchanged: \`drift\` reports the difference until the code is applied.`,
      );
    } else if (files.length > 0) return "found";
    return this.#left.length > 0 ? "found" : "nothing";
  }

  async #isApproved(): Promise<boolean> {
    if (this.args.yes) return true;
    return asksApproval(this.terminal, ["", "Do you want to write these changes into the code?"]);
  }

  #accept(candidate: Candidate): boolean {
    const { drifted, attribute, declared, live } = candidate;
    const { change } = drifted;
    const why = [...change.beforeSensitive, ...change.afterSensitive].some(([name]) => name === attribute)
      ? "it is sensitive"
      : this.#code.accept(candidate);
    if (why !== undefined)
      this.#leave(drifted, {
        attribute,
        live: why === "it is sensitive" ? SENSITIVE : textOfValue(live),
        why,
      });
    return why === undefined && !sameValue(declared, live);
  }

  #leave({ change }: DriftedObject, left: Omit<LeftValue, "address" | "position">): void {
    this.#left.push({ address: change.address, position: change.position, ...left });
  }

  #tell(accepted: readonly Candidate[], diff: readonly string[]): void {
    const { out } = this.terminal;
    if (this.args.json) {
      for (const { drifted, attribute, live } of accepted.filter((one) => !this.#isLeft(one)))
        this.#event("drift_accepted", `${drifted.change.address}: ${attribute} = ${textOfValue(live)}`, {
          address: drifted.change.address,
          attribute,
          position: drifted.change.position,
        });
      for (const one of this.#left) this.#event("drift_left", leftLine(one), one);
      return;
    }
    if (diff.length > 0) out.lines(["", ...diff.map(oneLine)]);
    if (this.#left.length > 0)
      out.lines(["", "Left in the code:", "", ...this.#left.map((one) => `  ${oneLine(leftLine(one))}`)]);
    if (diff.length === 0 && this.#left.length === 0)
      out.lines(["", "Nothing to accept: the code already has the live values."]);
  }

  #isLeft({ drifted, attribute }: Candidate): boolean {
    return this.#left.some((one) => one.address === drifted.change.address && one.attribute === attribute);
  }

  #event(type: string, message: string, data: object): void {
    this.terminal.out.line(JSON.stringify(jsonEvent(type, message, { hook: data })));
  }

  #notice(text: string): void {
    if (this.args.json) this.#event("code_written", text, {});
    else this.terminal.out.lines(["", text]);
  }
}

const leftLine = ({ address, position, attribute, live, why }: LeftValue): string =>
  `${address}${attribute === undefined ? "" : `: ${attribute} = ${live}`}${position === undefined ? "" : ` (${position})`}: ${why}.`;

/**
 * Converts a value so that it can be compared and printed. An object that contains the exact digits of a number becomes a plain
 * number.
 */
function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== "object" || value === null) return value ?? null;
  if (Object.getPrototypeOf(value) !== Object.prototype) return Number(String(value));
  const known = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(known.map(([name, one]) => [name, plainOf(one)]));
}
const textOfValue = (value: Value): string =>
  value === undefined || value === null ? "none" : JSON.stringify(plainOf(value));
